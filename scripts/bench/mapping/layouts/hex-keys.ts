import { createHash } from 'node:crypto';

/** A key of 32 hexadecimal digits, the same each time for a row of a table. */
export function hexKey(table: string, row: number | string): string {
  return createHash('sha256').update(`${table} ${row}`).digest('hex').slice(0, 32);
}

/** The same with hyphens, as 36 characters. */
export function hyphenKey(table: string, row: number | string): string {
  return hexKey(table, row).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
