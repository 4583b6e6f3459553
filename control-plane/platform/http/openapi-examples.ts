/**
 * Examples of an OpenAPI document: a value for each member stands in one table, by its name, and an example of
 * a schema is put together from them.
 */
import type { z } from 'zod';

type Json = Record<string, unknown>;

/** What examples are made of. */
export interface ExampleTable {
  /** Examples as a whole, by the id of a schema, or by an operation and what it is of: `createContact body`. */
  readonly shapes: Readonly<Record<string, unknown>>;
  /** Values by member (`phone`), or by schema and member (`Contact.id`). */
  readonly values: Readonly<Record<string, unknown>>;
}

export interface ExampleContext {
  readonly components: ReadonlyMap<string, Json>;
  readonly table: ExampleTable;
}

interface Place {
  /** The schema with an id in which the member is. */
  readonly component: string;
  readonly member: string;
  readonly depth: number;
  readonly isSparse: boolean;
}

const depthMax = 8;
const idTail = '01k3w9v2x4m6n8p0q2r4s6t8v0';

/**
 * An example of a schema that it accepts: with all members, or, where they exclude each other, with those that
 * are required. Undefined where neither fits: then the table needs a whole one.
 */
export function exampleOf(
  schema: z.ZodType,
  json: Json,
  name: string,
  { components, table }: ExampleContext,
): unknown {
  const whole = table.shapes[name];
  const tried = [
    ...(whole === undefined ? [] : [whole]),
    ...[false, true].map((isSparse) =>
      make(json, { component: name, member: '', depth: 0, isSparse }, { components, table }),
    ),
  ];
  return tried.find((example) => schema.safeParse(example).success);
}

/** An example of one value, such as a parameter. */
export function exampleValue(json: Json, member: string, context: ExampleContext): unknown {
  return make(json, { component: '', member, depth: 0, isSparse: false }, context);
}

function make(json: Json, place: Place, context: ExampleContext): unknown {
  const { shapes, values } = context.table;
  const { component, member } = place;
  const own = values[`${component}.${member}`];
  if (own !== undefined) return own;
  const reference = json.$ref as string | undefined;
  if (reference !== undefined) {
    const id = reference.slice(reference.lastIndexOf('/') + 1);
    if (id in shapes) return shapes[id];
    const at = { ...place, component: id, depth: place.depth + 1 };
    return place.depth > depthMax ? null : make(context.components.get(id) ?? {}, at, context);
  }
  if ('const' in json) return json.const;
  if ('default' in json && place.isSparse) return json.default;
  const variants = (json.anyOf ?? json.oneOf) as Json[] | undefined;
  if (variants !== undefined) {
    const named = values[member];
    if (named !== undefined && !isObject(variants[0]!)) return named;
    return make(variants.find(({ type }) => type !== 'null') ?? {}, place, context);
  }
  if (json.enum !== undefined) {
    const named = values[member];
    const options = json.enum as unknown[];
    return options.includes(named) ? named : options[0];
  }
  return ofType(json, place, context);
}

const isObject = ({ type, $ref }: Json) => type === 'object' || $ref !== undefined;

function ofType(json: Json, place: Place, context: ExampleContext): unknown {
  const named = context.table.values[place.member];
  const [type] = [json.type].flat().filter((each) => each !== 'null');
  switch (type) {
    case 'object':
      return objectOf(json, place, context, named);
    case 'array':
      if (Array.isArray(named)) return named;
      return [make(json.items as Json, { ...place, depth: place.depth + 1 }, context)];
    case 'integer':
    case 'number':
      return typeof named === 'number' ? named : Math.max(Number(json.minimum ?? 0), 1);
    case 'boolean':
      return named ?? false;
    case 'string':
      return textOf(json, named, place.member);
    default:
      return named ?? null;
  }
}

function objectOf(json: Json, place: Place, context: ExampleContext, named: unknown): unknown {
  const properties = Object.entries((json.properties ?? {}) as Record<string, Json>);
  const required = new Set((json.required ?? []) as string[]);
  if (properties.length === 0) {
    if (typeof named === 'object' && named !== null) return named;
    const keys = ((json.propertyNames as Json | undefined)?.enum ?? []) as string[];
    const each = json.additionalProperties as Json;
    return Object.fromEntries(
      keys.map((member) => [member, make(each, { ...place, member }, context)]),
    );
  }
  const kept = properties.filter(([name]) => !place.isSparse || required.has(name));
  const depth = place.depth + 1;
  return Object.fromEntries(
    kept.map(([member, schema]) => [member, make(schema, { ...place, member, depth }, context)]),
  );
}

function textOf({ pattern, format }: Json, named: unknown, member: string): string {
  const prefix = /^\^([a-z]+)_\[0-9a-hjkmnp-tv-z\]\{26\}\$$/.exec(String(pattern))?.[1];
  if (prefix !== undefined) return `${prefix}_${idTail}`;
  const text = typeof named === 'string' ? named : undefined;
  const fits = (value: string) =>
    pattern === undefined || new RegExp(String(pattern), 'u').test(value);
  if (text !== undefined && fits(text)) return text;
  switch (format) {
    case 'date-time':
      return '2026-03-02T08:15:30.000Z';
    case 'date':
      return '2026-03-02';
    case 'uuid':
      return '7d0e6c52-4a51-4a0e-9c35-0f6c2b1f9d11';
    case 'uri':
      return 'https://shop.example.com/';
    case 'email':
      return 'amal@example.com';
    default:
      return member;
  }
}
