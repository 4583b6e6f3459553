/** The settings of a connector for people: what is wrong with them, and what may be shown. */

import { nearest } from '@drawbridge/explanations/edit-distance.ts';
import { wordsOf } from '@drawbridge/input-faults/issue-words.ts';
import { z } from 'zod';

/** The part of a JSON Schema that is read here. */
export interface SettingSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly secret?: boolean;
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  readonly additionalProperties?: SettingSchema | boolean;
  readonly required?: readonly string[];
  readonly anyOf?: readonly SettingSchema[];
  readonly oneOf?: readonly SettingSchema[];
  readonly items?: SettingSchema;
}

/** The settings of a kind as JSON Schema. */
export function schemaOf(settings: z.ZodType): SettingSchema {
  return z.toJSONSchema(settings, { io: 'input', unrepresentable: 'any' }) as SettingSchema;
}

const issuesMax = 10;

/**
 * Names the settings and what is wrong with each, never a value: one may be a password. An unknown one is
 * told beside the known ones.
 */
export function faultsOf(error: z.ZodError, settings: z.ZodType): string {
  const schema = schemaOf(settings);
  const issues = error.issues.flatMap((issue) => nearestBranch(issue, []));
  return issues
    .slice(0, issuesMax)
    .map(({ issue, path }) => {
      if (issue.code === 'unrecognized_keys') return unknownSettings(issue.keys, path, schema);
      return `${path.join('.')} ${wordsOf(issue)}`.trim();
    })
    .join('; ');
}

interface Placed {
  readonly issue: z.core.$ZodIssue;
  readonly path: readonly PropertyKey[];
}

/** Of a choice the form that the settings come nearest to: its faults say more than "invalid". */
function nearestBranch(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): Placed[] {
  const path = [...above, ...issue.path];
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [{ issue, path }];
  const [least] = [...issue.errors].sort((one, other) => one.length - other.length);
  return least!.flatMap((inner) => nearestBranch(inner, path));
}

function unknownSettings(
  keys: readonly string[],
  path: readonly PropertyKey[],
  schema: SettingSchema,
): string {
  const known = Object.keys(membersOf(path.reduce<SettingSchema[]>(inside, [schema])));
  return keys
    .map((key) => {
      const meant = nearest(key, known);
      const perhaps = meant === undefined ? '' : `, perhaps ${meant}`;
      return `${[...path, key].join('.')} is no setting${perhaps}; known: ${known.join(', ')}`;
    })
    .join('; ');
}

/** The schemas of what stands under that name in any of these. */
function inside(schemas: SettingSchema[], name: PropertyKey): SettingSchema[] {
  return schemas.flatMap(formsOf).flatMap((form) => {
    const { properties, additionalProperties, items } = form;
    const found = properties?.[String(name)] ?? items ?? additionalProperties;
    return typeof found === 'object' ? [found] : [];
  });
}

function membersOf(schemas: readonly SettingSchema[]): Record<string, SettingSchema> {
  return Object.assign({}, ...schemas.flatMap(formsOf).map(({ properties }) => properties));
}

function formsOf(schema: SettingSchema): SettingSchema[] {
  const forms = schema.anyOf ?? schema.oneOf;
  return forms === undefined ? [schema] : forms.flatMap(formsOf);
}

/** The settings with `***` in the place of each secret. */
export function masked(settings: unknown, kind: z.ZodType): unknown {
  return changedBy(settings, [schemaOf(kind)], () => '***');
}

/** Whether the setting at that path is a secret, which must not be given on the command line. */
export function isSecret(path: readonly string[], settings: z.ZodType): boolean {
  const found = path.reduce<SettingSchema[]>(inside, [schemaOf(settings)]);
  return found.some(({ secret }) => secret === true);
}

/** The secrets among the settings, by the places of the schema; a reference to one counts. */
export function secretsIn(settings: unknown, kind: z.ZodType): PlacedSecret[] {
  return secretsBy(settings, [schemaOf(kind)], []);
}

export interface PlacedSecret {
  readonly path: readonly string[];
  readonly value: unknown;
}

function secretsBy(value: unknown, schemas: SettingSchema[], path: string[]): PlacedSecret[] {
  if (schemas.some(({ secret }) => secret === true)) return [{ path, value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    secretsBy(member, inside(schemas, name), [...path, name]),
  );
}

/** The settings with what `reveal` says in the place of each secret; it throws for one that is missing. */
export function revealedSettings(
  settings: unknown,
  kind: z.ZodType,
  reveal: (secret: string) => string,
): unknown {
  return changedBy(settings, [schemaOf(kind)], (secret) =>
    typeof secret === 'string' ? reveal(secret) : secret,
  );
}

function changedBy(
  value: unknown,
  schemas: SettingSchema[],
  change: (secret: unknown) => unknown,
): unknown {
  if (schemas.some(({ secret }) => secret === true)) return change(value);
  if (Array.isArray(value)) {
    return value.map((one, at) => changedBy(one, inside(schemas, at), change));
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => {
    return [name, changedBy(member, inside(schemas, name), change)];
  });
  return Object.fromEntries(members);
}
