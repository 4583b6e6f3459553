import type { Tx } from './tx.ts';

/** Column name → PostgreSQL type, in the order they are written. */
export type ColumnTypes<Row> = { readonly [Column in keyof Row & string]: string };

/**
 * Inserts any number of rows with one statement, and returns the rows that `suffix` asks for.
 *
 * ```ts
 * await insertMany(tx, 'job', { id: 'text', payload: 'jsonb' }, rows, 'on conflict do nothing');
 * ```
 *
 * Table, columns and suffix are constants of the program. A column of an array type cannot be
 * written so (unnest flattens it): make it jsonb.
 */
export async function insertMany<Row extends object, Returned = never>(
  tx: Tx,
  table: string,
  columns: ColumnTypes<Row>,
  rows: readonly Row[],
  suffix = '',
): Promise<Returned[]> {
  if (rows.length === 0) return [];
  const names = Object.keys(columns) as (keyof Row & string)[];
  const unnested = unnest(names.map((name) => columns[name]));
  const sql = `insert into ${table} (${names}) select * from ${unnested} ${suffix}`;
  return tx.rows<Returned>(sql, columnArrays(columns, rows));
}

/**
 * Inserts one row, for values of megabytes: a plain value, text or the bytes of one, goes to the server as
 * it is, whereas each within an array is searched for quotes and written anew, which holds the thread
 * for seconds.
 */
export async function insertLarge<Row extends object>(
  tx: Tx,
  table: string,
  columns: ColumnTypes<Row>,
  row: Row,
  suffix = '',
): Promise<void> {
  const names = Object.keys(columns) as (keyof Row & string)[];
  const places = names.map((name, at) => `$${at + 1}::${sentAs(columns[name])}`);
  const values = names.map((name) => columnValue(columns, row, name));
  await tx.run(`insert into ${table} (${names}) values (${places}) ${suffix}`, values);
}

/** The server takes the bytes of a text as that text; those of jsonb would have to begin with a version. */
function sentAs(type: string): string {
  return type === 'jsonb' ? 'text::jsonb' : type;
}

/**
 * `unnest($1::text[], $2::jsonb[])`: rows as one array for each column, for other statements than a
 * plain insert.
 */
export function unnest(types: readonly string[]): string {
  return `unnest(${types.map((type, at) => `$${at + 1}::${type}[]`).join(', ')})`;
}

/** JSON that is written already, for a column of the type jsonb of `insertLarge`. */
export class JsonBytes {
  readonly bytes: Buffer;

  constructor(bytes: Uint8Array) {
    this.bytes = bufferOf(bytes);
  }
}

/** The same bytes as the driver takes them. */
export function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** The values that go with `unnest`, in the order of the columns. */
export function columnArrays<Row extends object>(
  columns: ColumnTypes<Row>,
  rows: readonly Row[],
): unknown[][] {
  return (Object.keys(columns) as (keyof Row & string)[]).map((name) =>
    rows.map((row) => columnValue(columns, row, name)),
  );
}

function columnValue<Row extends object>(
  columns: ColumnTypes<Row>,
  row: Row,
  name: keyof Row & string,
): unknown {
  return columns[name] === 'jsonb' ? jsonText(row[name]) : (row[name] ?? null);
}

function jsonText(value: unknown): string | Buffer | null {
  if (value instanceof JsonBytes) return value.bytes;
  return value === undefined || value === null ? null : JSON.stringify(value);
}
