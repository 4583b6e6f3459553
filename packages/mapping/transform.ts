import { type Decimal, format, parseDecimal, round } from '@drawbridge/decimal/decimal.ts';
import { z } from 'zod';
import { dateFormats, readDate, readTime, timeFormats } from './calendar.ts';
import { codeOf } from './code-names.ts';
import { plainSigns, shownSigns, trimmed } from './plain-signs.ts';

/** Limits of a transform and of its result. */
const transformLimits = {
  mapEntriesMax: 2_000,
  textLengthMax: 1_000,
  columnsMax: 10,
  placesMax: 10,
  /** Characters of a value after any step. */
  valueLengthMax: 2_000_000,
} as const;

const text = z.string().max(transformLimits.textLengthMax);
const position = z.number().int().min(1).max(100_000);
const operand = z.union([
  z.strictObject({ column: text.min(1), section: text.min(1).optional() }),
  z.strictObject({ value: text.min(1) }),
]);

/** The step is taken only where another column holds that value. */
const when = z
  .strictObject({ column: text.min(1), section: text.min(1).optional(), value: text })
  .optional();

/**
 * One step from a source value to an invoice value. There are no expressions, so nothing is
 * evaluated.
 */
export const transformSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('trim') }),
  z.strictObject({ kind: z.literal('upper') }),
  /** The value to use when the source has none: a text, or other columns of its row, joined. */
  z.strictObject({
    kind: z.literal('default'),
    value: text.optional(),
    columns: z.array(text.min(1)).max(transformLimits.columnsMax).optional(),
  }),
  /**
   * A table of codes, e.g. ERP tax code → tax category; other values are refused or kept. `list` adds the
   * names of countries in many languages, or of units, which need not be written down.
   */
  z.strictObject({
    kind: z.literal('map'),
    list: z.enum(['countries', 'units']).optional(),
    values: z
      .record(text, text)
      .refine((values) => Object.keys(values).length <= transformLimits.mapEntriesMax, {
        message: `A value map has at most ${transformLimits.mapEntriesMax} entries.`,
      }),
    unmapped: z.enum(['refuse', 'keep']).optional(),
  }),
  /** With `offset` (`+08:00`), an instant with a zone becomes the date at that offset from UTC. */
  z.strictObject({
    kind: z.literal('date'),
    format: z.enum(dateFormats),
    offset: z
      .string()
      .regex(/^[+-](0\d|1[0-4]):[0-5]\d$/)
      .optional(),
  }),
  z.strictObject({ kind: z.literal('time'), format: z.enum(timeFormats) }),
  /**
   * A number with a decimal point or comma; digits may be grouped, and the minus may be before,
   * after or written as `()`.
   */
  z.strictObject({ kind: z.literal('decimal'), point: z.enum(['.', ',']) }),
  z.strictObject({ kind: z.literal('negate') }),
  z.strictObject({ kind: z.literal('abs') }),
  z.strictObject({
    kind: z.literal('round'),
    places: z.number().int().min(0).max(transformLimits.placesMax),
  }),
  z.strictObject({ kind: z.literal('multiply'), by: operand, when }),
  /** With `on_top` the operand is a rate on top of the result: 20 percent, or 0.2 as a fraction. */
  z.strictObject({
    kind: z.literal('divide'),
    by: operand,
    on_top: z.enum(['percent', 'fraction']).optional(),
    when,
  }),
  z.strictObject({ kind: z.literal('subtract'), by: operand, when }),
  /** Joins the value and further columns of its row, without empty ones. */
  z.strictObject({
    kind: z.literal('concat'),
    columns: z.array(text.min(1)).min(1).max(transformLimits.columnsMax),
    separator: text,
  }),
  /** Characters from `start` (the first is 1). */
  z.strictObject({ kind: z.literal('substring'), start: position, length: position.optional() }),
  /** One part of a text that is split at each separator (the first is 1). */
  z.strictObject({ kind: z.literal('split'), separator: text.min(1), part: position }),
]);

/** One step, as data. */
export type Transform = z.infer<typeof transformSchema>;
/** A column or text that a step uses besides its value. */
export type Operand = z.infer<typeof operand>;

/** Reads another column for a transform; undefined when it is empty or missing. */
export type ReadOperand = (operand: Operand) => string | undefined;

/** Why a step cannot use a value; the message is for people. */
export interface TransformFault {
  readonly code:
    | 'not-a-date'
    | 'not-a-time'
    | 'not-a-decimal'
    | 'value-not-in-map'
    | 'division-by-zero'
    | 'value-too-long';
  readonly message: string;
}

/** The value after all steps, or the first fault. */
export type Transformed =
  | { readonly value: string | undefined }
  | { readonly fault: TransformFault };

/**
 * Runs the steps in order. An empty value (undefined) is left unchanged by all steps except
 * `default`, `map` and `concat`.
 */
export function transform(
  source: string | undefined,
  steps: readonly Transform[],
  read: ReadOperand,
): Transformed {
  let value = source;
  for (const step of steps) {
    const outcome = take(step, value, read);
    if ('fault' in outcome) return outcome;
    value = outcome.value === '' ? undefined : outcome.value;
    if (value !== undefined && value.length > transformLimits.valueLengthMax) {
      const message = `The value has more than ${transformLimits.valueLengthMax} characters.`;
      return refuse('value-too-long', message);
    }
  }
  return { value };
}

function take(step: Transform, value: string | undefined, read: ReadOperand): Transformed {
  switch (step.kind) {
    case 'default':
      return { value: value === undefined || value.trim() === '' ? defaultOf(step, read) : value };
    case 'concat': {
      const others = step.columns.map((column) => read({ column })?.trim());
      const parts = [value?.trim(), ...others].filter((part) => part !== undefined && part !== '');
      return { value: parts.join(step.separator) };
    }
    case 'map':
      return mapped(step, value);
    default:
      return value === undefined || value.trim() === ''
        ? { value: undefined }
        : change(step, value, read);
  }
}

function defaultOf(
  { value, columns = [] }: Extract<Transform, { kind: 'default' }>,
  read: ReadOperand,
): string | undefined {
  const parts = columns
    .map((column) => read({ column })?.trim() ?? '')
    .filter((part) => part !== '');
  return parts.length > 0 ? parts.join(' ') : value;
}

type Change = Exclude<Transform, { kind: 'default' | 'concat' | 'map' }>;

function change(step: Change, value: string, read: ReadOperand): Transformed {
  switch (step.kind) {
    case 'trim':
      return { value: value.trim() };
    case 'upper':
      return { value: value.toUpperCase() };
    case 'date':
      return dated(value, step);
    case 'time': {
      const time = readTime(value.trim(), step.format);
      return time === undefined
        ? refuse('not-a-time', `"${shown(value)}" is not a time as ${step.format}.`)
        : { value: time };
    }
    case 'decimal':
      return decimalText(value, step.point);
    case 'substring':
      return { value: sliced(value, step.start, step.length) };
    case 'split':
      return { value: value.split(step.separator)[step.part - 1]?.trim() };
    case 'multiply':
    case 'divide':
    case 'subtract':
      return calculated(step, value, read);
    case 'negate':
      return computed(value, (number) => number.times(-1));
    case 'abs':
      return computed(value, (number) => number.abs());
    case 'round':
      return computed(value, (number) => round(number, step.places));
  }
}

function mapped(step: Extract<Transform, { kind: 'map' }>, value: string | undefined): Transformed {
  const key = value ?? '';
  for (const candidate of [key, key.trim(), trimmed(key)]) {
    if (Object.hasOwn(step.values, candidate)) return { value: step.values[candidate] };
  }
  const listed = step.list === undefined ? undefined : codeOf(step.list, key);
  if (listed !== undefined) return { value: listed };
  if (key.trim() === '') return { value: undefined };
  if (step.unmapped === 'keep') return { value };
  return refuse(
    'value-not-in-map',
    `"${shown(key)}" is not in the value map; add it to the mapping.`,
  );
}

function dated(value: string, step: Extract<Transform, { kind: 'date' }>): Transformed {
  const date = readDate(value.trim(), step.format, step.offset);
  if (date !== undefined) return { value: date };
  return refuse('not-a-date', `"${shown(value)}" is not a date as ${step.format}.`);
}

function sliced(value: string, start: number, length: number | undefined): string {
  const characters = [...value];
  return characters
    .slice(start - 1, length === undefined ? undefined : start - 1 + length)
    .join('');
}

/** Separators of digit groups, besides the point or comma that is not the decimal one. */
const spaces = /[\s\u00a0\u202f'\u2019\u066c]/g;
/** The point or comma of Arabic writing, which is no separator of groups. */
const arabicPoint = '\u066b';

function decimalText(value: string, point: '.' | ','): Transformed {
  const plain = plainSigns(value).replace(spaces, '').replace(arabicPoint, point);
  const isNegative = /^\(.*\)$|^-|-$/.test(plain);
  const digits = plain.replace(/^[(+-]|[)-]$/g, '');
  const group = point === '.' ? ',' : '\\.';
  const decimals = point === '.' ? '\\.' : ',';
  const grouped = new RegExp(
    `^(?:\\d{1,3}(?:${group}\\d{2,3})*${group}\\d{3}|\\d*)(?:${decimals}\\d*)?$`,
  );
  if (!grouped.test(digits)) return notDecimal(value);
  const other = point === '.' ? ',' : '.';
  const number = parseDecimal(digits.replaceAll(other, '').replace(point, '.'));
  if (number === undefined) return notDecimal(value);
  return { value: format(isNegative ? number.times(-1) : number) };
}

function computed(value: string, compute: (number: Decimal) => Decimal): Transformed {
  const number = parseDecimal(plainSigns(value));
  return number === undefined ? notDecimal(value) : { value: format(compute(number)) };
}

function calculated(
  step: Extract<Transform, { kind: 'multiply' | 'divide' | 'subtract' }>,
  value: string,
  read: ReadOperand,
): Transformed {
  if (step.when !== undefined) {
    const { value: wanted, ...place } = step.when;
    if ((read(place)?.trim() ?? '') !== wanted) return { value };
  }
  const number = parseDecimal(plainSigns(value));
  if (number === undefined) return notDecimal(value);
  const operandText = read(step.by);
  const operand = operandText === undefined ? undefined : parseDecimal(plainSigns(operandText));
  if (operand === undefined) return notDecimal(operandText ?? '');
  if (step.kind === 'multiply') return { value: format(number.times(operand)) };
  if (step.kind === 'subtract') return { value: format(number.minus(operand)) };
  const divisor = divisorOf(operand, step.on_top);
  if (divisor.eq(0)) {
    return refuse('division-by-zero', 'The value to divide by is zero.');
  }
  return { value: format(number.div(divisor)) };
}

function divisorOf(operand: Decimal, onTop: 'percent' | 'fraction' | undefined): Decimal {
  if (onTop === undefined) return operand;
  return (onTop === 'percent' ? operand.div(100) : operand).plus(1);
}

function notDecimal(value: string): Transformed {
  const what = value.trim() === '' ? 'An empty value' : `"${shown(value)}"`;
  return refuse('not-a-decimal', `${what} is not a number.`);
}

function refuse(code: TransformFault['code'], message: string): Transformed {
  return { fault: { code, message } };
}

const shownMax = 60;

/** A source value for a message: short, in one line, and without anything that nobody sees. */
export function shown(value: string): string {
  const line = shownSigns(value.slice(0, 4 * shownMax))
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > shownMax ? `${line.slice(0, shownMax)}…` : line;
}
