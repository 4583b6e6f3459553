import { plainNumber } from '@drawbridge/records/number.ts';
import { binary, inexact, type ValueText } from '../sql/driver.ts';
import { shortestFloat } from '../sql/float.ts';
import { withoutPadding } from '../sql/padding.ts';

/** A value as tedious gives it. */
export type MssqlValue = string | number | bigint | boolean | Date | Buffer | null;

/** What is known of a column of an answer; `type` in SQL Server's words. */
export interface MssqlColumn {
  readonly type: string;
  readonly scale: number;
}

/** Whole numbers below it survive a division by a power of ten and the way back. */
const exactMax = 2 ** 52;

/**
 * SQL Server's values as text: integers digit by digit, decimals where a double holds them exactly
 * (dialect.ts reads columns as text), floats in the shortest decimal that reads back the same,
 * `2026-01-31`, `2026-01-31T10:00:00.1234567` (a DATETIMEOFFSET in UTC with `Z`), BIT as `1` and `0`,
 * CHAR unpadded.
 */
export function mssqlText(value: MssqlValue, { type, scale }: MssqlColumn): ValueText {
  if (value === null) return null;
  if (typeof value === 'string') return isPadded(type) ? withoutPadding(value) : value;
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Date) return dateText(value, type);
  if (typeof value !== 'number') return binary;
  if (/^(decimal|numeric)$/.test(type)) return decimalText(value, scale);
  if (/money$/.test(type)) return decimalText(value, 4);
  return plainNumber(type === 'real' ? shortestFloat(value) : String(value));
}

function isPadded(type: string): boolean {
  return type === 'char' || type === 'nchar';
}

function decimalText(value: number, scale: number): string | typeof inexact {
  return Math.abs(value) * 10 ** scale < exactMax ? value.toFixed(scale) : inexact;
}

/** tedious keeps what is finer than a millisecond beside the date, in seconds. */
function dateText(value: Date & { readonly nanosecondsDelta?: number }, type: string): string {
  const iso = value.toISOString().replace('Z', '');
  const [day = '', time = ''] = iso.split('T');
  if (type === 'date') return day;
  const ticks = Math.round((value.nanosecondsDelta ?? 0) * 10_000_000);
  const exact = `${time}${String(ticks).padStart(4, '0')}`.replace(/\.?0+$/, '');
  const whole = exact.length < 8 ? time.slice(0, 8) : exact;
  if (type === 'time') return whole;
  return `${day}T${whole}${type === 'datetimeoffset' ? 'Z' : ''}`;
}
