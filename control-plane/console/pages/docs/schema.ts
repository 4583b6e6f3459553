/** A schema of an OpenAPI file: the part of JSON Schema that our files are written in. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export type Schemas = Readonly<Record<string, Schema>>;

/** One field of an object. */
export interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
}

const prefix = '#/components/schemas/';

/** The schema itself, where another part of the file is named. */
export function resolved(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.slice(prefix.length);
  return (name === undefined ? undefined : schemas[name]) ?? schema;
}

/** What fields there are: of an object, of what an array holds, or of the kinds a value may have. */
export function fieldsOf(given: Schema, schemas: Schemas): readonly Field[] {
  const schema = resolved(given, schemas);
  const { properties, required = [], items, additionalProperties: others } = schema;
  const own = Object.entries(properties ?? {}).map(([name, each]) => ({
    name,
    isRequired: required.includes(name),
    schema: each,
  }));
  if (own.length > 0) return own;
  const kinds = schema.anyOf ?? schema.oneOf ?? [];
  const inner = [items, typeof others === 'object' ? others : undefined, ...kinds].filter(
    (each) => each !== undefined,
  );
  if (inner.length === 1) return fieldsOf(inner[0]!, schemas);
  const objects = inner.map((each) => fieldsOf(each, schemas)).filter(({ length }) => length > 0);
  if (objects.length === 1) return objects[0]!;
  // Which kind of several it is: each is a field of its own.
  return objects.length === 0
    ? []
    : inner.map((each) => ({ name: typeOf(each, schemas), isRequired: false, schema: each }));
}

/** The type in a word or two: `string or null`, `Invoice[]`. */
export function typeOf(given: Schema, schemas: Schemas): string {
  if (given.$ref !== undefined) return given.$ref.slice(prefix.length);
  const { type, items, anyOf, oneOf, additionalProperties: others } = given;
  const kinds = anyOf ?? oneOf;
  if (kinds) return [...new Set(kinds.map((each) => typeOf(each, schemas)))].join(' or ');
  if (items) return `${typeOf(items, schemas)}[]`;
  if (typeof others === 'object') return `map of ${typeOf(others, schemas)}`;
  if (given.const !== undefined) return JSON.stringify(given.const);
  const types = typeof type === 'string' ? [type] : (type ?? ['any']);
  return types.map((each) => (each === 'string' ? (given.format ?? each) : each)).join(' or ');
}

/** What a value must keep to, in the words of JSON Schema: `maxLength 100`. */
export function limitsOf(given: Schema, schemas: Schemas): readonly string[] {
  const schema = resolved(given, schemas);
  const bounds = (['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'] as const)
    .filter((name) => schema[name] !== undefined && Math.abs(schema[name]) < 1e15)
    .map((name) => `${name} ${schema[name]}`);
  return [
    ...(schema.enum ? [schema.enum.map((each) => JSON.stringify(each)).join(' | ')] : []),
    ...bounds,
    // A format says it in a word, and its pattern is long.
    ...(schema.pattern && !schema.format ? [`pattern ${schema.pattern}`] : []),
    ...(schema.default === undefined ? [] : [`default ${JSON.stringify(schema.default)}`]),
  ];
}
