import Big from 'big.js';
import { Exact } from './exact.ts';

/** An exact decimal number. Amounts, quantities and rates are never `number`. */
export type Decimal = Exact;

/**
 * The lexical space of xs:decimal: optional sign, digits, optional fraction. No exponent, no
 * grouping.
 */
const lexical = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

/**
 * The most digits of a decimal; longer text is refused, so that hostile input cannot make
 * arithmetic slow.
 */
const decimalDigitsMax = 64;

/** 0, without decimals. */
export const zero: Decimal = Exact.of(0, 0);

/**
 * Parses an xs:decimal, with white space around it allowed; undefined when `text` is not one.
 */
export function parseDecimal(text: string): Decimal | undefined {
  const short = parseShort(text);
  if (short !== undefined) return short;
  const trimmed = text.trim();
  if (trimmed.length > decimalDigitsMax || !lexical.test(trimmed)) return undefined;
  return Exact.from(new Big(trimmed.startsWith('+') ? trimmed.slice(1) : trimmed));
}

/** Any number with this many digits fits a coefficient. */
const shortMax = 15;

/** Parses usual amounts quickly: few digits, an optional minus and point; otherwise undefined. */
export function parseShort(text: string): Decimal | undefined {
  const isNegative = text.charCodeAt(0) === 45;
  const start = isNegative ? 1 : 0;
  const { length } = text;
  if (length === start || length - start > shortMax) return undefined;
  let coefficient = 0;
  let point = -1;
  for (let at = start; at < length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit >= 0 && digit <= 9) coefficient = coefficient * 10 + digit;
    else if (digit === -2 && point < 0) point = at;
    else return undefined;
  }
  if (point >= 0 && length - start === 1) return undefined;
  const scale = point < 0 ? 0 : length - point - 1;
  return Exact.of(isNegative ? -coefficient : coefficient, scale);
}

/**
 * As `parseDecimal`, for text that is known to be a decimal; throws a RangeError for other text.
 */
export function decimal(text: string | number): Decimal {
  const value = parseDecimal(typeof text === 'number' ? new Big(text).toFixed() : text);
  if (value === undefined) throw new RangeError(`"${text}" is not a decimal number`);
  return value;
}

/** The exact sum; 0 for no values. */
export function sum(values: Iterable<Decimal>): Decimal {
  let total = zero;
  for (const value of values) total = total.plus(value);
  return total;
}

/** Rounds half away from zero, as usual in invoices; XPath's fn:round rounds half up: see the package `rules`. */
export function round(value: Decimal, places: number): Decimal {
  return value.round(places);
}

/** Plain notation, never an exponent; at least `places` decimals when given. */
export function format(value: Decimal, places?: number): string {
  if (places === undefined) return value.toFixed();
  const text = value.toFixed();
  const dot = text.indexOf('.');
  return dot < 0 || text.length - dot - 1 < places ? value.toFixed(places) : text;
}

/** Digits after the decimal point as written: `"1.50"` has two. */
export function decimalPlaces(text: string): number {
  const dot = text.indexOf('.');
  return dot < 0 ? 0 : text.trim().length - text.trim().indexOf('.') - 1;
}
