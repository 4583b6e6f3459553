/** Rates from a CSV file: all of it is read, and each line is held against those before it. */
import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { csvRecords } from '../../contacts/imports/csv-file.ts';
import { invalid } from '../../errors.ts';
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

/** What `make` makes of each rate. Throws `invalid_request` naming the line. */
export async function readRates(
  raw: IncomingMessage,
  signal: AbortSignal,
  make: (rate: Rate) => RateRow,
): Promise<readonly RateRow[]> {
  const rows: RateRow[] = [];
  const lines = new Map<string, number>();
  let header: readonly string[] | undefined;
  for await (const some of csvRecords(raw, signal)) {
    for (const { line, fields } of some) {
      if (header === undefined) {
        header = readHeader(fields);
        continue;
      }
      const row = make(readLine(header, fields, line));
      if (isNeverValid(row)) throw invalid('file', `line ${line}: ${neverValid}`);
      const key = `${row.prefix} ${row.currency} ${row.valid_from.toISOString()}`;
      const before = lines.get(key);
      if (before !== undefined) {
        const problem = `line ${line}: ${row.prefix} begins at the same instant as in line ${before}`;
        throw invalid('file', `${problem}; leave one of them out`);
      }
      lines.set(key, line);
      rows.push(row);
    }
    if (rows.length > importRowsMax) throw invalid('file', `at most ${importRowsMax} rates`);
  }
  if (header === undefined) throw invalid('file', 'is empty');
  return rows;
}

function readHeader(fields: readonly string[]): readonly string[] {
  const header = fields.map((name) => name.trim().toLowerCase());
  const isStrange = header.some((name) => !rateColumns.includes(name));
  if (isStrange) throw invalid('file', `has a column that is none of ${rateColumns.join(', ')}`);
  const twice = header.find((name, at) => header.indexOf(name) !== at);
  if (twice !== undefined) throw invalid('file', `has the column ${twice} twice`);
  for (const name of ['prefix', 'currency', 'per_minute']) {
    if (!header.includes(name)) throw invalid('file', `lacks the column ${name}`);
  }
  return header;
}

function readLine(header: readonly string[], fields: readonly string[], line: number): Rate {
  const given = header.map((name, at) => [name, fields[at]?.trim() ?? ''] as const);
  const read = rateRequest.safeParse(Object.fromEntries(given.filter(([, text]) => text !== '')));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const told = [...(issue?.path ?? []).map(String), issue?.message ?? 'is wrong'].join(' ');
  throw invalid('file', `line ${line}: ${told}`);
}

/** Why a rate that is over before it begins is refused; when it begins may not be in the request. */
export const neverValid = 'valid_until must be after valid_from, which is now unless it is given';

export function isNeverValid({ valid_from, valid_until }: Span): boolean {
  return valid_until !== null && valid_until <= valid_from;
}

type Span = Pick<RateRow, 'valid_from' | 'valid_until'>;
