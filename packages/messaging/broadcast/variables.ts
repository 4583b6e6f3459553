import {
  endsInVariable,
  hasVariable,
  isFileHeader,
  type Template,
  variablesOf,
} from '../template.ts';

/** Where the value of a variable comes from. */
type VariableSource =
  | { readonly value: string }
  | { readonly attribute: string; readonly default?: string | undefined };
/** The source of each variable by its name. */
export type Variables = Readonly<Record<string, VariableSource>>;

/** What is known of the recipient. */
export interface Person {
  readonly name: string | null;
  readonly phone: string | null;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

/** The variable of a header: the one in its text, or the address of its file. */
export const headerVariable = 'header';

/** The variable of the button at this place, from 0. */
export function buttonVariable(index: number): string {
  return `button_${index}`;
}

/** Every variable that needs a value before the template can be sent, each once. */
export function variablesNeeded({ header, body, buttons = [] }: Template): readonly string[] {
  const isHeaderOpen = header !== undefined && (isFileHeader(header) || hasVariable(header.text));
  return [
    ...(isHeaderOpen ? [headerVariable] : []),
    ...variablesOf(body),
    ...buttons.flatMap((button, index) => (endsInVariable(button) ? [buttonVariable(index)] : [])),
  ];
}

/** What is wrong with the sources that a broadcast names for a template's variables; undefined: nothing. */
export function faultOfSources(
  template: Template,
  sources: Variables,
): { readonly variable: string; readonly problem: string } | undefined {
  const needed = variablesNeeded(template);
  const surplus = Object.keys(sources).find((name) => !needed.includes(name));
  if (surplus !== undefined) {
    return { variable: surplus, problem: 'is not a variable of the template' };
  }
  // Others take the attribute of their own name.
  const isNameless = (name: string) => /^(\d+|header|button_\d)$/.test(name);
  const missing = needed.find((name) => isNameless(name) && !Object.hasOwn(sources, name));
  if (missing === undefined) return undefined;
  return { variable: missing, problem: 'is required by the template' };
}

/** Why this template cannot be broadcast; undefined when it can. */
export function whyNotBroadcast({ header, buttons = [] }: Template): string | undefined {
  if (header?.format === 'location') return 'its header is a location';
  const other = buttons.find(({ type }) => ['otp', 'copy-code', 'flow', 'other'].includes(type));
  return other === undefined ? undefined : `it has a button of the kind ${other.type}`;
}

/** The values by variable, or the first variable without a value. */
export type Filling =
  | { readonly kind: 'filled'; readonly values: Readonly<Record<string, string>> }
  | { readonly kind: 'missing'; readonly variable: string };

/**
 * The values of variables for one person. A variable without a source takes the attribute of its
 * own name; an empty attribute counts as missing.
 */
export function fill(needed: readonly string[], variables: Variables, person: Person): Filling {
  const values: [string, string][] = [];
  for (const variable of needed) {
    const value = givenBy(sourceOf(variables, variable), person);
    if (value === undefined || value.trim() === '') return { kind: 'missing', variable };
    values.push([variable, value]);
  }
  return { kind: 'filled', values: Object.fromEntries(values) };
}

function sourceOf(variables: Variables, variable: string): VariableSource {
  return Object.hasOwn(variables, variable) ? variables[variable]! : { attribute: variable };
}

function givenBy(source: VariableSource, person: Person): string | undefined {
  if ('value' in source) return source.value;
  const value = attributeOf(person, source.attribute);
  return value === undefined || value.trim() === '' ? source.default : value;
}

/**
 * An attribute of the person; `name` and `phone` are the contact's own unless an attribute has that
 * name.
 */
function attributeOf({ attributes, name, phone }: Person, wanted: string): string | undefined {
  if (Object.hasOwn(attributes, wanted)) return String(attributes[wanted]);
  if (wanted === 'name') return name ?? undefined;
  return wanted === 'phone' ? (phone ?? undefined) : undefined;
}
