import { type Node, onlyValue, type Path, values } from '@drawbridge/cim/node.ts';
import { type Decimal, decimal, parseDecimal, parseShort } from '@drawbridge/decimal/decimal.ts';
import { DynamicError } from '../rule.ts';

/**
 * Numbers, dates and comparisons as in the authorities' expressions (XPath 2.0, W3C 2010). Untyped
 * arithmetic is computed in doubles, values cast to xs:decimal in decimals; the verdict may depend
 * on it.
 */

/**
 * Text of the only value (or attribute) at `path`, `''` when there is none; several are an error.
 */
export function textOf(node: Node, path: string | Path): string {
  return onlyTextOf(node, path) ?? '';
}

/** As `textOf`, but undefined when there is none. */
export function onlyTextOf(node: Node, path: string | Path): string | undefined {
  const text = onlyValue(node, path);
  if (text === null) throw new DynamicError(several);
  return text;
}

/** A value as written; undefined when there is none. */
export type Written = string | undefined;

/** An element with text, bound or not. */
interface Texted {
  readonly text: string;
  readonly texts?: readonly string[] | undefined;
}

/** The only text node of the elements (`text()` as published), `''` when there is none. */
export function textNodeOf(elements: readonly Texted[]): string {
  const [only] = elements;
  if (elements.length === 1 && only!.texts === undefined) return only!.text;
  return single(elements.flatMap(textNodes)) ?? '';
}

function textNodes({ text, texts }: Texted): readonly string[] {
  return texts ?? (text === '' ? [] : [text]);
}

/** The only item, or undefined; several are an error. */
export function single<T>(items: readonly T[]): T | undefined {
  if (items.length > 1) throw new DynamicError(several);
  return items[0];
}

const several = 'Several values where one is expected.';

/** fn:normalize-space: XML white space is trimmed and runs of it become one space. */
export function normalizeSpace(text: string): string {
  if (isNormal(text)) return text;
  return text.replace(/[ \t\r\n]+/g, ' ').replace(/^ | $/g, '');
}

/** A loop, because most values are short and few need a change. */
function isNormal(text: string): boolean {
  let isAfterSpace = true;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 32) isAfterSpace = false;
    else if (code !== 32 || isAfterSpace) return false;
    else isAfterSpace = true;
  }
  return !isAfterSpace || text === '';
}

/** fn:string-length from a position; JavaScript counts characters beyond the first plane twice. */
export function lengthOf(text: string, from = 0): number {
  let length = 0;
  for (let at = from; at < text.length; at++) if (!isSecondHalf(text, at)) length++;
  return length;
}

/** fn:substring(text, 1, count). */
export function startOf(text: string, count: number): string {
  let left = count;
  for (let at = 0; at < text.length; at++) {
    if (!isSecondHalf(text, at) && left-- === 0) return text.slice(0, at);
  }
  return text;
}

/** Whether this is the second of the two code units of one character. */
function isSecondHalf(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit < 0xdc00 || unit > 0xdfff || at === 0) return false;
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff;
}

/** Whether the text is only XML white space. */
export function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (!isSpace(text.charCodeAt(at))) return false;
  return true;
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

/** The text without white space around it, which a cast ignores. */
function collapse(text: string): string {
  if (!isSpace(text.charCodeAt(0)) && !isSpace(text.charCodeAt(text.length - 1))) return text;
  return text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
}

const decimalForm = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

/** Whether the text is in the lexical space of xs:decimal. */
function isDecimal(text: string): boolean {
  if (parseShort(text) !== undefined) return true;
  return decimalForm.test(collapse(text));
}

/** xs:decimal(text); throws `DynamicError` where the cast fails. */
export function toDecimal(text: string): Decimal {
  const short = parseShort(text);
  if (short !== undefined) return short;
  const trimmed = collapse(text);
  // Some characters are white space in JavaScript only, and not allowed in an xs:decimal.
  const value = trimmed.trim() === trimmed ? parseDecimal(trimmed) : undefined;
  if (value === undefined) throw new DynamicError(`"${shown(text)}" is not a decimal number.`);
  return value;
}

/** xs:decimal of the only value at `path`; undefined when there is none. */
export function decimalAt(node: Node, path: string | Path): Decimal | undefined {
  return decimalOf(onlyTextOf(node, path));
}

/** xs:decimal of the text, or undefined when it cannot be cast. */
export function castDecimal(text: Written): Decimal | undefined {
  if (text === undefined) return undefined;
  return parseShort(text) ?? (isDecimal(text) ? toDecimal(text) : undefined);
}

/**
 * xs:decimal of the text; undefined when it is absent. Throws `DynamicError` where the cast fails.
 */
export function decimalOf(text: Written): Decimal | undefined {
  return text === undefined ? undefined : toDecimal(text);
}

/**
 * xs:double of the text; undefined when it is absent. Throws `DynamicError` where the cast fails.
 */
export function doubleOf(text: Written): number | undefined {
  return text === undefined ? undefined : toDouble(text);
}

const doubleForm = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
const doubleNames = new Map([
  ['INF', Number.POSITIVE_INFINITY],
  // As in XSD 1.1.
  ['+INF', Number.POSITIVE_INFINITY],
  ['-INF', Number.NEGATIVE_INFINITY],
  ['NaN', Number.NaN],
]);

/** fn:number: the text as a double, NaN when it is not one. */
export function toNumber(text: Written): number {
  const short = text === undefined ? undefined : shortDouble(text);
  if (short !== undefined) return short;
  const trimmed = collapse(text ?? '');
  return doubleForm.test(trimmed) ? Number(trimmed) : (doubleNames.get(trimmed) ?? Number.NaN);
}

/**
 * A quick path for usual amounts: few digits, perhaps a point. Both parts of the quotient are
 * exact, so the result is the double nearest to the written value.
 */
function shortDouble(text: string): number | undefined {
  const { length } = text;
  if (length === 0 || length > shortMax) return undefined;
  let digits = 0;
  let divisor = 0;
  for (let at = 0; at < length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit >= 0 && digit <= 9) {
      digits = digits * 10 + digit;
      divisor *= 10;
    } else if (digit === -2 && divisor === 0 && length > 1) divisor = 1;
    else return undefined;
  }
  return divisor === 0 ? digits : digits / divisor;
}

const shortMax = 15;

/**
 * xs:double(text), as in untyped arithmetic and comparisons with numbers; throws where the cast
 * fails.
 */
export function toDouble(text: string): number {
  const value = toNumber(text);
  if (Number.isNaN(value) && collapse(text) !== 'NaN') {
    throw new DynamicError(`"${shown(text)}" is not a number.`);
  }
  return value;
}

/**
 * How an untyped value compares with a number: below, equal, above. The authorities' processor
 * (Saxon) orders doubles totally here, so that `-0.00` is less than 0 and not equal to it, and NaN
 * is above everything.
 */
export function compareUntyped(text: string, number: number): -1 | 0 | 1 {
  const value = toDouble(text);
  if (Number.isNaN(value)) return 1;
  if (value !== number) return value < number ? -1 : 1;
  const isNegativeZero = Object.is(value, -0) && !/^-0+$/.test(collapse(text));
  return number === 0 && isNegativeZero ? -1 : 0;
}

/**
 * Whether some value at `path` compares with the number in one of the ways given: -1 less, 0 equal,
 * 1 more.
 */
export function someCompares(
  node: Node,
  path: string | Path,
  ways: readonly (-1 | 0 | 1)[],
  number: number,
): boolean {
  const only = onlyValue(node, path);
  if (only === undefined) return false;
  if (only !== null) return ways.includes(compareUntyped(only, number));
  return values(node, path).some((text) => ways.includes(compareUntyped(text, number)));
}

/** xs:boolean(text); throws `DynamicError` where the cast fails. */
export function toBoolean(text: string): boolean {
  if (text === 'true') return true;
  if (text === 'false') return false;
  const trimmed = collapse(text);
  if (trimmed === 'true' || trimmed === '1') return true;
  if (trimmed === 'false' || trimmed === '0') return false;
  throw new DynamicError(`"${shown(text)}" is neither true nor false.`);
}

/** Whether some value at `path` equals the boolean; an untyped value is cast first. */
export function someBoolean(node: Node, path: string | Path, expected: boolean): boolean {
  const only = onlyValue(node, path);
  if (only === undefined) return false;
  if (only !== null) return toBoolean(only) === expected;
  return values(node, path).some((text) => toBoolean(text) === expected);
}

/** fn:round of a decimal: halves are rounded towards positive infinity, also below zero. */
export function roundHalfUp(value: Decimal): Decimal {
  return value.round(0, 'half-ceiling');
}

/** A decimal rounded to cents as the authorities write it: `round(x * 10 * 10) div 100`. */
export function toCents(value: Decimal): Decimal {
  return value.round(2, 'half-ceiling');
}

/** Whether `value` is no further than `slack` from `expected`; an absent operand is an error. */
export function withinSlack(
  expected: Decimal | undefined,
  value: Decimal | undefined,
  slack: Decimal,
): boolean {
  if (expected === undefined || value === undefined) {
    throw new DynamicError('An amount to compare is missing.');
  }
  // Usually they are equal.
  if (expected.eq(value)) return true;
  return expected.plus(slack).gte(value) && expected.minus(slack).lte(value);
}

/** Years as in XSD 1.1, which the authorities' processor follows: there is a year zero. */
const dateForm = /^(-?(?:[1-9]\d{4,}|\d{4}))-(\d\d)-(\d\d)(Z|[+-]\d\d:\d\d)?$/;
const zoneForm = /^(Z|[+-](0\d|1[0-3]):[0-5]\d|[+-]14:00)$/;
const timeForm = /^((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?|24:00:00(?:\.0+)?)(.*)$/s;

/** Whether the text is in the lexical space of xs:date. */
export function isDate(text: string): boolean {
  return parseDate(text) !== undefined;
}

/**
 * xs:date(text) as milliseconds of its start, UTC where it names no zone; throws where the cast
 * fails.
 */
export function toDate(text: string): number {
  const date = parseDate(text);
  if (date === undefined) throw new DynamicError(`"${shown(text)}" is not a date.`);
  return date;
}

function parseDate(text: string): number | undefined {
  if (isPlainDate(text))
    return Date.UTC(digitsOf(text, 0, 4), digitsOf(text, 5, 7) - 1, digitsOf(text, 8, 10));
  const [, year, month, day, zone] = dateForm.exec(collapse(text)) ?? [];
  if (year === undefined) return undefined;
  if (zone !== undefined && !zoneForm.test(zone)) return undefined;
  const years = Number(year);
  if (Math.abs(years) > yearMax) return undefined;
  // The calendar repeats every 400 years; JavaScript has no dates after the year 275760.
  const cycles = Math.floor(years / 400);
  const date = new Date(0);
  date.setUTCFullYear(years - cycles * 400, Number(month) - 1, Number(day));
  const real = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  if (!real) return undefined;
  return date.getTime() + cycles * cycleMs - zoneMinutes(zone) * 60_000;
}

/** The authorities' processor stores years in 32 bits. */
const yearMax = 2_147_483_647;
const cycleMs = 146_097 * 86_400_000;

/** A quick test: true for `YYYY-MM-DD` with a day that every month has; false says nothing. */
function isPlainDate(text: string): boolean {
  if (text.length !== 10 || text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) return false;
  const month = digitsOf(text, 5, 7);
  const day = digitsOf(text, 8, 10);
  return digitsOf(text, 0, 4) >= 1000 && month >= 1 && month <= 12 && day >= 1 && day <= 28;
}

/** The digits of a part as a number; NaN when it contains other characters. */
function digitsOf(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48;
    value = digit >= 0 && digit <= 9 ? value * 10 + digit : Number.NaN;
  }
  return value;
}

function zoneMinutes(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4));
  return zone.startsWith('-') ? -minutes : minutes;
}

/** Whether the text is in the lexical space of xs:time. */
export function isTime(text: string): boolean {
  const [, clock, zone] = timeForm.exec(collapse(text)) ?? [];
  return clock !== undefined && (zone === '' || zoneForm.test(zone!));
}

/** Whether the text is in the lexical space of xs:integer. */
export function isInteger(text: string): boolean {
  return /^[+-]?\d+$/.test(collapse(text));
}

/** `left < right` of two untyped values: strings by code point, never as dates or numbers. */
export function isBefore(left: string, right: string): boolean {
  const a = [...left];
  const b = [...right];
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    if (a[index] !== b[index]) return a[index]!.codePointAt(0)! < b[index]!.codePointAt(0)!;
  }
  return a.length < b.length;
}

/** The value, cut to a length that fits a message. */
function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** xs:decimal(double): the exact value of the double, not its written digits. */
function exactDecimal(value: number): Decimal {
  // Sixty digits hold every double of the size of an amount exactly; beyond 1e21 JavaScript has no
  // fixed notation.
  if (!(Math.abs(value) < 1e21)) throw new DynamicError(`${value} is too large for a decimal.`);
  return decimal(value.toFixed(60).replace(/\.?0+$/, ''));
}

/** Compares the exact value of a double with a decimal; the result is as of `cmp`. */
export function compareExactly(value: number, other: Decimal): number {
  const difference = value - other.toNumber();
  // Nearly always they differ so much that rounding cannot change the order.
  const isClear = Math.abs(difference) > Math.abs(value) * 1e-9 && Math.abs(value) < 1e20;
  return isClear ? difference : exactDecimal(value).cmp(other);
}
