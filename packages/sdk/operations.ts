/** What clients are printed from: the operations of an OpenAPI document of ours. */

/** A JSON Schema, as far as our documents use it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
}

/** One call of an API. */
export interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly params: readonly string[];
  readonly query: readonly { readonly name: string; readonly schema: Schema }[];
  readonly body: Schema | undefined;
  readonly isBodyRequired: boolean;
  readonly isUpload: boolean;
  readonly takesIdempotencyKey: boolean;
  /** Whether it says how long to wait (`Prefer`). */
  readonly takesPreference: boolean;
  /** Undefined where the answer is none, or no JSON. */
  readonly answer: Schema | undefined;
  readonly isText: boolean;
  /** What a page lists, where the answer is a page. */
  readonly item: Schema | undefined;
}

/** The document as it is printed. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface DocumentOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >;
}

/** All operations, in the order of the document. */
export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, given]) => operationOf(document, path, method, given)),
  );
}

function operationOf(
  { components }: OpenApiDocument,
  path: string,
  method: string,
  { operationId, summary, parameters, requestBody, responses }: DocumentOperation,
): Operation {
  const successes = Object.entries(responses)
    .filter(([status]) => Number(status) < 300)
    .map(([, { content = {} }]) => content);
  const answers = successes.flatMap((each) => each['application/json']?.schema ?? []);
  const answer = answers.length > 1 ? { anyOf: answers } : answers[0];
  const whole = answer?.$ref === undefined ? answer : components.schemas[refName(answer.$ref)];
  const isPage =
    whole?.properties?.results !== undefined && parameters.some(({ name }) => name === 'cursor');
  const content = requestBody?.content ?? {};
  return {
    id: operationId,
    summary,
    method: method.toUpperCase(),
    path,
    params: parameters.filter((each) => each.in === 'path').map(({ name }) => name),
    query: parameters.filter((each) => each.in === 'query'),
    body: content['application/json']?.schema,
    isBodyRequired: requestBody?.required === true,
    isUpload: 'multipart/form-data' in content,
    takesIdempotencyKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    takesPreference: parameters.some(({ name }) => name === 'Prefer'),
    answer,
    isText: answer === undefined && successes.some((each) => Object.keys(each).length > 0),
    item: isPage ? whole.properties.results?.items : undefined,
  };
}

/** `#/components/schemas/Contact` → `Contact`. */
export function refName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
