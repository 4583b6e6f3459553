/** What a form makes of the settings of a source or a provider: their JSON Schema, and values as the API takes them. */

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
  readonly propertyNames?: SettingSchema;
  readonly items?: SettingSchema;
  readonly oneOf?: readonly SettingSchema[];
  readonly anyOf?: readonly SettingSchema[];
}

/** How a setting is shown. */
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
  | 'options'
  | 'list'
  | 'entries';

/** A text of more characters than this is not written in one line. */
const lineLengthMax = 9_000;

export function shapeOf(schema: SettingSchema): SettingShape {
  const { type, items, properties, additionalProperties: each } = schema;
  if (schema.oneOf !== undefined || schema.anyOf !== undefined) return 'options';
  if (choicesOf(schema).length > 0) return 'choice';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'boolean') return 'switch';
  if (type === 'array' && items?.enum !== undefined) return 'several';
  if (type === 'array') return items?.type === 'string' ? 'lines' : 'list';
  if (type === 'object' && properties !== undefined) return 'group';
  if (type === 'object') {
    return typeof each === 'object' && each.type === 'string' ? 'pairs' : 'entries';
  }
  return (schema.maxLength ?? 0) > lineLengthMax ? 'long-text' : 'text';
}

/** The words of which one is chosen; none of a value that is no choice. */
export function choicesOf({ enum: words, const: word }: SettingSchema): readonly string[] {
  return words ?? (typeof word === 'string' ? [word] : []);
}

/** One of several forms of a value. */
export interface SettingOption {
  /** The word of its own member, or what it is called. */
  readonly title: string;
  readonly schema: SettingSchema;
  /** What its value is before anything is filled in. */
  readonly start: unknown;
  isOf(value: unknown): boolean;
}

/** The forms that a value may have. */
export function optionsOf(schema: SettingSchema): readonly SettingOption[] {
  const { anyOf = [], oneOf = anyOf } = schema;
  const member = titleMemberOf(schema);
  return oneOf.map((option) => {
    if (member !== undefined) {
      const word = String(option.properties![member]!.const);
      const isOf = (value: unknown) => isValues(value) && value[member] === word;
      return { title: word, schema: option, start: { [member]: word }, isOf };
    }
    const others = oneOf.filter((each) => each !== option).flatMap(({ required = [] }) => required);
    const own = option.required?.filter((name) => !others.includes(name)) ?? [];
    return {
      title: option.title ?? '',
      schema: option,
      start: option.type === 'null' ? null : option.type === 'object' ? {} : undefined,
      isOf: (value: unknown) => {
        if (option.type === 'null') return value === null;
        if (option.type === 'object') return isValues(value) && own.some((name) => name in value);
        return typeof value === option.type;
      },
    };
  });
}

/** The member whose value says which of the forms it is. */
export function titleMemberOf({ oneOf = [] }: SettingSchema): string | undefined {
  return Object.keys(oneOf[0]?.properties ?? {}).find((name) =>
    oneOf.every(({ properties }) => typeof properties?.[name]?.const === 'string'),
  );
}

/** A word on a value that is folded away: its text, or the first text in it. */
export function summaryOf(value: unknown): string {
  const texts = isValues(value) ? Object.values(value) : [value];
  const text = texts.find((each) => typeof each === 'string') ?? '';
  return String(text);
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

/**
 * What changes the settings that the API has shown into these: null for what was emptied. A secret that is left empty
 * stays as it is.
 */
export function settingChanges(shown: SettingValues, values: SettingValues): SettingValues {
  const emptied = Object.keys(withoutSecrets(shown)).filter((name) => !(name in values));
  return { ...values, ...Object.fromEntries(emptied.map((name) => [name, null])) };
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
