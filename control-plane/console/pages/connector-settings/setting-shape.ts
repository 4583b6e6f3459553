/** What a form makes of the settings of a source: their JSON Schema, and values as the API takes them. */

/** The part of a JSON Schema that forms read. */
export interface SettingSchema {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly secret?: boolean;
  readonly advanced?: boolean;
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: SettingSchema | boolean;
  readonly items?: SettingSchema;
  readonly oneOf?: readonly SettingSchema[];
}

/** How a setting is shown. `json` is for what is too deep for fields. */
export type SettingShape =
  | 'text'
  | 'long-text'
  | 'number'
  | 'switch'
  | 'choice'
  | 'several'
  | 'lines'
  | 'pairs'
  | 'group'
  | 'variants'
  | 'json';

/** A text of more characters than this is not written in one line. */
const lineLengthMax = 50_000;

export function shapeOf(schema: SettingSchema): SettingShape {
  const { type, items, properties, additionalProperties } = schema;
  if (schema.oneOf !== undefined)
    return discriminatorOf(schema) === undefined ? 'json' : 'variants';
  if (schema.enum !== undefined) return 'choice';
  if (type === 'string') return (schema.maxLength ?? 0) > lineLengthMax ? 'long-text' : 'text';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'boolean') return 'switch';
  if (type === 'array' && items?.enum !== undefined) return 'several';
  if (type === 'array' && items?.type === 'string') return 'lines';
  if (type === 'object' && properties !== undefined) return 'group';
  const isText = typeof additionalProperties === 'object' && additionalProperties.type === 'string';
  return type === 'object' && isText ? 'pairs' : 'json';
}

/** The member whose value says which of the variants it is. */
export function discriminatorOf({ oneOf = [] }: SettingSchema): string | undefined {
  return Object.keys(oneOf[0]?.properties ?? {}).find((name) =>
    oneOf.every(({ properties }) => typeof properties?.[name]?.const === 'string'),
  );
}

export type SettingValues = Readonly<Record<string, unknown>>;

export function isValues(value: unknown): value is SettingValues {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The values with another one under that name; what is empty is left out. */
export function withValue(values: SettingValues, name: string, value: unknown): SettingValues {
  const { [name]: _, ...rest } = values;
  return isEmpty(value) ? rest : { ...rest, [name]: value };
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isValues(value) && Object.keys(value).length === 0;
}

/** What the API shows in place of a secret. */
const mask = /^•+$/;

/** Values that the API has shown, without the secrets, which it shows as dots. */
export function withoutSecrets(values: SettingValues): SettingValues {
  return Object.entries(values).reduce<SettingValues>((kept, [name, value]) => {
    if (typeof value === 'string' && mask.test(value)) return kept;
    return withValue(kept, name, isValues(value) ? withoutSecrets(value) : value);
  }, {});
}

/** Lines of a text area as a list. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Lines such as "X-Branch: 7" as members; undefined when one has no colon. */
export function pairsOf(text: string): Record<string, string> | undefined {
  const pairs = linesOf(text).map((line) => /^([^:]+):(.*)$/.exec(line));
  if (pairs.includes(null)) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair![1]!.trim(), pair![2]!.trim()]));
}

/** The object or list that a text of JSON stands for; undefined for any other text. */
export function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined; // it is still being typed
  }
}

/** Sentences of the API on a setting, and on all below it where these have no fields of their own. */
export function problemAt(
  problems: Readonly<Record<string, readonly string[]>>,
  path: string,
  isWhole: boolean,
): string | undefined {
  const told = Object.entries(problems).flatMap(([at, sentences]) => {
    if (at === path) return sentences;
    if (!isWhole || !at.startsWith(`${path}.`)) return [];
    return sentences.map((sentence) => `${at.slice(path.length + 1)}: ${sentence}`);
  });
  return told.length === 0 ? undefined : told.join(' ');
}

export interface SettingPart {
  readonly key: 'main' | 'layout' | 'advanced';
  readonly names: readonly string[];
}

/** The settings in parts: what everybody fills in, how documents are read, and what few change. */
export function partsOf(
  { properties = {} }: SettingSchema,
  layout: readonly string[],
): readonly SettingPart[] {
  const keyOf = (name: string) => {
    if (layout.includes(name)) return 'layout';
    return properties[name]?.advanced ? 'advanced' : 'main';
  };
  const names = Object.keys(properties);
  return (['main', 'layout', 'advanced'] as const)
    .map((key) => ({ key, names: names.filter((name) => keyOf(name) === key) }))
    .filter((part) => part.names.length > 0);
}
