import { z } from 'zod';

/** What stands where a secret is. */
const mask = '••••••••';

interface JsonSchema {
  readonly secret?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | false;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

/**
 * Settings as they may be shown: every field that their schema marks as secret (`.meta({ secret:
 * true })`), or does not know, is masked.
 */
export function maskSettings(
  schema: z.ZodType,
  settings: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const known = schemas.get(schema) ?? printed(schema);
  return masked(alternatives(known), settings) as Record<string, unknown>;
}

/** Printed once a schema: it costs a millisecond. */
const schemas = new WeakMap<z.ZodType, JsonSchema>();

function printed(schema: z.ZodType): JsonSchema {
  const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  schemas.set(schema, made);
  return made;
}

/** Where settings that a client sends hold the mask in place of a secret; undefined when nowhere. */
export function maskedPath(settings: unknown): string | undefined {
  if (settings === mask) return '';
  if (typeof settings !== 'object' || settings === null) return undefined;
  for (const [name, held] of Object.entries(settings)) {
    const below = maskedPath(held);
    if (below !== undefined) return below === '' ? name : `${name}.${below}`;
  }
  return undefined;
}

function masked(schemas: readonly JsonSchema[], value: unknown): unknown {
  if (value === undefined) return undefined;
  // What no schema describes might be anything, a secret too.
  if (schemas.length === 0 || schemas.some(({ secret }) => secret === true)) return mask;
  if (Array.isArray(value)) {
    const items = schemas.flatMap((each) => each.items ?? []);
    return value.map((held) => masked(items.flatMap(alternatives), held));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => {
      const below = schemas.flatMap(({ properties = {}, additionalProperties }) =>
        Object.hasOwn(properties, name) ? properties[name]! : additionalProperties || [],
      );
      return [name, masked(below.flatMap(alternatives), held)];
    }),
  );
}

/** A schema with all those that a value may follow in its place. */
function alternatives(schema: JsonSchema): JsonSchema[] {
  const { anyOf = [], oneOf = [], allOf = [] } = schema;
  return [schema, ...[...anyOf, ...oneOf, ...allOf].flatMap(alternatives)];
}
