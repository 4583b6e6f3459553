import {
  type OpenApiDocument,
  type Operation,
  operationsOf,
  refName,
  type Schema,
} from './operations.ts';

/** A typed client in TypeScript for any runtime with Web Crypto; `fetch` is given from outside. */
export function typescriptClient(document: OpenApiDocument): string {
  const types = Object.entries(document.components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema)};`,
  );
  const methods = operationsOf(document).flatMap((operation) => [
    methodOf(operation),
    ...(operation.item === undefined ? [] : [iteratorOf(operation)]),
  ]);
  return `/** ${document.info.title} ${document.info.version}. Printed by "npm run sdk". */

${types.join('\n\n')}

${runtime}
export class Client extends Base {
${methods.join('\n')}}
`;
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return refName(schema.$ref);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return `(${variants.map(typeOf).join(' | ')})`;
  if (Array.isArray(schema.type)) {
    return `(${schema.type.map((type) => typeOf({ ...schema, type })).join(' | ')})`;
  }
  switch (schema.type) {
    case 'object':
      return objectType(schema);
    case 'array':
      return `readonly (${schema.items === undefined ? 'unknown' : typeOf(schema.items)})[]`;
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    default:
      return 'unknown';
  }
}

function objectType({ properties, required = [], additionalProperties }: Schema): string {
  if (properties === undefined) {
    const each =
      typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';
    return `Readonly<Record<string, ${each}>>`;
  }
  const members = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?';
    const more = mark === '' ? '' : ' | undefined';
    return `readonly ${JSON.stringify(name)}${mark}: ${typeOf(schema)}${more}`;
  });
  return `{ ${members.join('; ')} }`;
}

function inputOf(operation: Operation, isIterator = false): string {
  const { params, query, body, isBodyRequired, isUpload } = operation;
  const asked = query.filter(({ name }) => !isIterator || name !== 'cursor');
  const filters = asked.map(
    ({ name, schema }) => `${JSON.stringify(name)}?: ${typeOf(schema)} | undefined`,
  );
  const members = [
    ...params.map((name) => `${JSON.stringify(name)}: string`),
    ...(filters.length === 0 ? [] : [`query?: { ${filters.join('; ')} }`]),
    ...(body === undefined ? [] : [`body${isBodyRequired ? '' : '?'}: ${typeOf(body)}`]),
    ...(isUpload ? ['file: Blob; filename?: string'] : []),
    ...(operation.takesIdempotencyKey ? ['idempotencyKey?: string'] : []),
    ...(operation.takesPreference ? ['prefer?: string'] : []),
    'signal?: AbortSignal',
  ];
  const isOptional = params.length === 0 && !(body && isBodyRequired) && !isUpload;
  return `input: { ${members.join('; ')} }${isOptional ? ' = {}' : ''}`;
}

function methodOf(operation: Operation): string {
  const { id, summary, method, path, answer, isText, takesIdempotencyKey } = operation;
  const result = answer === undefined ? (isText ? 'Response' : 'void') : typeOf(answer);
  const about = JSON.stringify({ method, path, isRaw: isText, isKeyed: takesIdempotencyKey });
  return `  /** ${summary}. */
  ${id}(${inputOf(operation)}): Promise<${result}> {
    return this.call(${about}, input) as Promise<${result}>;
  }
`;
}

function iteratorOf(operation: Operation): string {
  const { id, summary, item } = operation;
  return `  /** ${summary}; page after page. */
  eachOf${id[0]!.toUpperCase()}${id.slice(1)}(${inputOf(operation, true)}): AsyncGenerator<${typeOf(item!)}> {
    return this.pages((cursor) => this.${id}({ ...input, query: { ...('query' in input ? (input.query as object) : {}), cursor } }));
  }
`;
}

const runtime = `/** What the service refused: by \`code\` for programs, by \`detail\` for people. */
export class ApiError extends Error {
  readonly status: number;
  /** \`rejected\`: a document fails its checks, and \`body\` says all that is wrong with it. */
  readonly code: Error['code'] | 'rejected' | 'unknown';
  readonly detail: string;
  readonly errors: Readonly<Record<string, readonly string[]>>;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(response: Response, body: Readonly<Record<string, unknown>>) {
    const findings = Array.isArray(body.errors) ? (body.errors as readonly { rule: string; message: string }[]) : undefined;
    const found = findings?.map(({ rule, message }) => \`\${rule}: \${message}\`)[0];
    const code = String(findings === undefined ? (body.code ?? 'unknown') : 'rejected');
    const detail = String(body.detail ?? found ?? '');
    super(\`\${response.status} \${code}: \${detail}\`);
    this.name = 'ApiError';
    this.status = response.status;
    this.code = code as ApiError['code'];
    this.detail = detail;
    this.errors = (findings === undefined ? (body.errors ?? {}) : {}) as Readonly<Record<string, readonly string[]>>;
    this.requestId = body.request_id as string | undefined;
    const after = Number(response.headers.get('retry-after') ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(after) ? after : undefined;
    this.body = body;
  }
}

export interface ClientOptions {
  readonly baseUrl: string;
  readonly key: string;
  readonly fetch: typeof fetch;
}

interface Route {
  readonly method: string;
  readonly path: string;
  readonly isRaw: boolean;
  readonly isKeyed: boolean;
}

class Base {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  protected async call({ method, path, isRaw, isKeyed }: Route, given: object): Promise<unknown> {
    const input = given as Readonly<Record<string, unknown>>;
    const place = path.replace(/\\{(\\w+)\\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
    const url = new URL(this.#options.baseUrl.replace(/\\/$/, '') + place);
    for (const [name, value] of Object.entries((input.query ?? {}) as object)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const headers: Record<string, string> = { authorization: \`Bearer \${this.#options.key}\` };
    if (isKeyed) headers['idempotency-key'] = String(input.idempotencyKey ?? crypto.randomUUID());
    if (typeof input.prefer === 'string') headers.prefer = input.prefer;
    const init: RequestInit = { method, headers };
    if (input.signal instanceof AbortSignal) init.signal = input.signal;
    if (input.file instanceof Blob) {
      const form = new FormData();
      form.append('file', input.file, String(input.filename ?? 'file.csv'));
      init.body = form;
    } else if (input.body !== undefined) {
      headers['content-type'] = 'application/json';
      init.body = JSON.stringify(input.body);
    }
    // As a function of its own: some runtimes refuse a fetch that is called as a method.
    const { fetch } = this.#options;
    const response = await fetch(url, init);
    const isJson = (response.headers.get('content-type') ?? '').includes('json');
    if (!response.ok) {
      const text = await response.text();
      throw new ApiError(response, isJson ? JSON.parse(text) : { code: 'unknown', detail: text });
    }
    if (isRaw) return response;
    return isJson ? response.json() : undefined;
  }

  protected async *pages<Item>(
    read: (cursor: string | undefined) => Promise<{ readonly results: readonly Item[]; readonly next: string | null }>,
  ): AsyncGenerator<Item> {
    let cursor: string | undefined;
    for (;;) {
      const page = await read(cursor);
      yield* page.results;
      if (page.next === null) return;
      cursor = page.next;
    }
  }
}

/** The event of a webhook whose signature holds, else undefined; \`body\` is the text as it came, \`now\` the time here. */
export async function verifyWebhook(
  body: string,
  secret: string,
  { now, toleranceSeconds = 300 }: { readonly now: Date; readonly toleranceSeconds?: number },
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const [member, digest = ''] = /,"signature":"sha256=([0-9a-f]{64})"\\}$/.exec(body) ?? [];
  if (member === undefined) return undefined;
  const unsigned = \`\${body.slice(0, -member.length)}}\`;
  const [, ts] = /,"ts":"([^"]+)"\\}$/.exec(unsigned) ?? [];
  if (ts === undefined) return undefined;
  if (!(Math.abs(now.getTime() - Date.parse(ts)) <= toleranceSeconds * 1_000)) return undefined;
  const bytes = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes.encode(secret), algorithm, false, ['verify']);
  const signature = Uint8Array.from(digest.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const isRight = await crypto.subtle.verify('HMAC', key, signature, bytes.encode(\`\${ts}.\${unsigned}\`));
  return isRight ? JSON.parse(unsigned) : undefined;
}
`;
