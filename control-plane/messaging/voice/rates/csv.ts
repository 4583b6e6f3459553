/** Rates from a CSV file: all of it is read, and each line is compared with those before it. */
import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { fail, invalid } from '../../errors.ts';
import { csvRecords } from './csv-file.ts';
import { rateRequest } from './schema.ts';
import type { RateRow } from './store.ts';

export const importRowsMax = 50_000;
export const rateColumns: readonly string[] = [
  'prefix',
  'currency',
  'per_minute',
  'connection_fee',
  'increment',
  'valid_from',
  'valid_until',
];

type Rate = z.output<typeof rateRequest>;

/** The most wrong lines that are reported; later lines are not read. */
const faultsMax = 20;

/** The result of `make` for each rate. Throws `invalid_request` naming the wrong lines. */
export async function readRates(
  raw: IncomingMessage,
  signal: AbortSignal,
  make: (rate: Rate) => RateRow,
): Promise<readonly RateRow[]> {
  const rows: RateRow[] = [];
  const lines = new Map<string, number>();
  const faults: string[] = [];
  let header: readonly string[] | undefined;
  for await (const some of csvRecords(raw, signal)) {
    for (const { line, fields } of some) {
      if (header === undefined) {
        header = readHeader(fields);
        continue;
      }
      const read = readLine(header, fields, make, (key) => lines.get(key));
      if ('fault' in read) faults.push(`line ${line}: ${read.fault}`);
      else {
        lines.set(keyOf(read.row), line);
        rows.push(read.row);
      }
      if (faults.length === faultsMax) throw wrong(faults);
    }
    if (rows.length > importRowsMax) throw invalid('file', `at most ${importRowsMax} rates`);
  }
  if (header === undefined) throw invalid('file', 'is empty');
  if (faults.length > 0) throw wrong(faults);
  return rows;
}

function wrong(faults: readonly string[]) {
  const others = faults.length === 1 ? '' : ` (and ${faults.length - 1} more)`;
  const body = { errors: { file: faults } };
  return fail('invalid_request', `file: ${faults[0]}${others}`, { body });
}

function readHeader(fields: readonly string[]): readonly string[] {
  const header = fields.map((name) => name.trim().toLowerCase());
  const isStrange = header.some((name) => !rateColumns.includes(name));
  if (isStrange) throw invalid('file', `has a column other than ${rateColumns.join(', ')}`);
  const twice = header.find((name, at) => header.indexOf(name) !== at);
  if (twice !== undefined) throw invalid('file', `has the column ${twice} twice`);
  for (const name of ['prefix', 'currency', 'per_minute']) {
    if (!header.includes(name)) throw invalid('file', `lacks the column ${name}`);
  }
  return header;
}

/** `lineOf`: the line of an earlier rate with the same beginning. */
function readLine(
  header: readonly string[],
  fields: readonly string[],
  make: (rate: Rate) => RateRow,
  lineOf: (key: string) => number | undefined,
): { readonly row: RateRow } | { readonly fault: string } {
  const given = header.map((name, at) => [name, fields[at]?.trim() ?? ''] as const);
  const read = rateRequest.safeParse(Object.fromEntries(given.filter(([, text]) => text !== '')));
  if (!read.success) {
    const [issue] = read.error.issues;
    return { fault: [...(issue?.path ?? []).map(String), issue?.message ?? 'is wrong'].join(' ') };
  }
  const row = make(read.data);
  if (isNeverValid(row)) return { fault: neverValid };
  const before = lineOf(keyOf(row));
  if (before === undefined) return { row };
  const problem = `${row.prefix} begins at the same instant as in line ${before}`;
  return { fault: `${problem}; leave one of them out` };
}

function keyOf({ prefix, currency, valid_from }: RateRow): string {
  return `${prefix} ${currency} ${valid_from.toISOString()}`;
}

/** Why a rate that ends before it begins is refused; the request may leave out when it begins. */
export const neverValid = 'valid_until must be after valid_from, which is now unless it is given';

export function isNeverValid({ valid_from, valid_until }: Span): boolean {
  return valid_until !== null && valid_until <= valid_from;
}

type Span = Pick<RateRow, 'valid_from' | 'valid_until'>;
