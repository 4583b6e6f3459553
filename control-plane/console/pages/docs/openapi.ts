import type { Schema, Schemas } from './schema.ts';

/** What the page reads of an OpenAPI file of ours. */
export interface OpenApi {
  readonly components: { readonly schemas: Schemas };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

interface Described {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly 'x-permission'?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
}

interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
}

interface Answer {
  readonly description?: string;
  readonly content?: Readonly<Record<string, Content>>;
}

/** A call of the API. */
export interface Operation extends Described {
  readonly method: string;
  readonly path: string;
}

export interface Group {
  readonly tag: string;
  readonly operations: readonly Operation[];
}

/** The operations in whose path or words the text stands, by subject, in the order of the file. */
export function groupsOf({ paths }: OpenApi, text: string): readonly Group[] {
  const groups = new Map<string, Operation[]>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, described] of Object.entries(methods)) {
      const { summary, operationId, tags = [] } = described;
      const words = `${method} ${path} ${operationId} ${summary}`.toLowerCase();
      if (!words.includes(text.trim().toLowerCase())) continue;
      const tag = tags[0] ?? '';
      const group = groups.get(tag) ?? [];
      groups.set(tag, [...group, { ...described, method: method.toUpperCase(), path }]);
    }
  }
  return Array.from(groups, ([tag, operations]) => ({ tag, operations }));
}

/** The example of a body, as JSON that can be changed. */
export function exampleOf(content: Readonly<Record<string, Content>> | undefined): string {
  const example = content?.['application/json']?.example;
  return example === undefined ? '' : JSON.stringify(example, undefined, 2);
}

/** What a body of JSON looks like. */
export function schemaOf(
  content: Readonly<Record<string, Content>> | undefined,
): Schema | undefined {
  return content?.['application/json']?.schema;
}

/** The path with the values of its parameters, and a query of those that are given. */
export function addressOf(
  { path, parameters = [] }: Operation,
  values: Readonly<Record<string, string>>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? ''));
  const query = new URLSearchParams(
    parameters
      .filter((each) => each.in === 'query' && (values[each.name] ?? '') !== '')
      .map(({ name }) => [name, values[name]!]),
  );
  return query.size === 0 ? filled : `${filled}?${query}`;
}

/** The call on a command line; the key is a variable, so that none stands in a history. */
export function commandOf(method: string, url: string, body: string): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const sent = body === '' ? '' : ` \\\n  -H 'Content-Type: application/json' -d ${quoted(body)}`;
  return `curl -X ${method} ${quoted(url)} \\\n  -H "Authorization: Bearer $KEY"${sent}`;
}
