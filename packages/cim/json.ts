import { type Decimal, parseDecimal } from '@drawbridge/decimal/decimal.ts';

/** The JSON form of the CIM: amounts and texts are strings, quantities and rates may be numbers. */
export type CimValue = string | number | boolean | CimObject | readonly CimValue[] | null;

/** A group of the JSON form; a member that is absent, undefined or null has no value. */
export interface CimObject {
  readonly [member: string]: CimValue | undefined;
}

/** The group, or undefined when the value is not one. */
export function groupOf(value: CimValue | undefined): CimObject | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as CimObject;
}

/** The groups of a list; a single group counts as a list of one, other values are left out. */
export function groupsOf(value: CimValue | undefined): readonly CimObject[] {
  const items = Array.isArray(value) ? (value as readonly CimValue[]) : [value];
  return items.filter((item): item is CimObject => groupOf(item) !== undefined);
}

/** The trimmed text of a value (also of `{ value, …attributes }`), or undefined when empty. */
export function textOf(value: CimValue | undefined): string | undefined {
  const plain = groupOf(value)?.value ?? value;
  if (typeof plain === 'number') return numberText(plain);
  if (typeof plain === 'boolean') return String(plain);
  const text = typeof plain === 'string' ? plain.trim() : '';
  return text === '' ? undefined : text;
}

/** The value as an exact decimal, or undefined when it is not one. */
export function decimalOf(value: CimValue | undefined): Decimal | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : parseDecimal(text);
}

/** Whether an indicator is true. */
export function isTrue(value: CimValue | undefined): boolean {
  return textOf(value) === 'true';
}

/**
 * Adds `defaults` for members without a value; returns the same group when it has all of them.
 * Defaults that are undefined add no member.
 */
export function withDefaults(group: CimObject, defaults: CimObject): CimObject {
  let filled: Record<string, CimValue | undefined> | undefined;
  for (const member of Object.keys(defaults)) {
    const value = defaults[member];
    if (value === undefined || (group[member] ?? undefined) !== undefined) continue;
    filled ??= { ...group };
    filled[member] = value;
  }
  return filled ?? group;
}

/** The group without some members. */
export function without(group: CimObject, ...members: readonly string[]): CimObject {
  return Object.fromEntries(Object.entries(group).filter(([name]) => !members.includes(name)));
}

/** A number as a decimal text without exponent; undefined for NaN and the infinities. */
export function numberText(number: number): string | undefined {
  if (!Number.isFinite(number)) return undefined;
  const text = String(number);
  if (!text.includes('e')) return text;
  const parts = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (parts === null) return text;
  const [, sign, whole, fraction = '', exponent] = parts;
  const digits = `${whole}${fraction}`;
  // JavaScript writes an exponent from 1e21, where 17 digits have no fraction, and below 1e-6.
  const zeros = Number(exponent) < 0 ? -Number(exponent) - 1 : Number(exponent) + 1;
  const isSmall = Number(exponent) < 0;
  return `${sign}${isSmall ? `0.${'0'.repeat(zeros)}${digits}` : digits.padEnd(zeros, '0')}`;
}

/** A decimal in the JSON form of quantities and rates: a number if that is exactly the same. */
export function exactNumber(text: string): number | string {
  const number = Number(text);
  return text !== '' && numberText(number) === text ? number : text;
}
