import { plainNumber } from '@drawbridge/records/number.ts';
import mysql from 'mysql2';
import { binary } from '../sql/driver.ts';
import { shortestFloat } from '../sql/float.ts';

// The package is CommonJS: Node finds no named export of it.
const { Types } = mysql;

/** A value as the binary protocol gives it under the options of driver.ts. */
export type MysqlValue = string | number | bigint | boolean | Buffer | object | null;

/**
 * MySQL's values as text: decimals and integers digit by digit, floats in the shortest decimal that
 * reads back the same, `2026-01-31`, `2026-01-31T10:00:00` (a TIMESTAMP with `Z`; the session runs
 * in UTC), BIT and BOOLEAN as integers (`1`, `0`).
 */
export function mysqlText(value: MysqlValue, type: number): string | null | typeof binary {
  if (value === null) return null;
  if (typeof value === 'string') return stringText(value, type);
  if (typeof value === 'number') {
    return plainNumber(type === Types.FLOAT ? shortestFloat(value) : String(value));
  }
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(Number(value));
  if (Buffer.isBuffer(value) && type === Types.BIT) return bitText(value);
  return binary;
}

function stringText(value: string, type: number): string {
  if (type === Types.DATETIME) return value.replace(' ', 'T');
  if (type === Types.TIMESTAMP) return `${value.replace(' ', 'T')}Z`;
  return value;
}

function bitText(value: Buffer): string {
  return value.length === 0 ? '0' : String(BigInt(`0x${value.toString('hex')}`));
}
