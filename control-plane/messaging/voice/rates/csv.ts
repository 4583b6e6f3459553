/** Rates from a CSV file: all of it is read, and each line is compared with those before it. */
import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { fail, invalid } from '../../errors.ts';
import type { Problem } from '../../file-problems.ts';
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

/** A line of the file: what `make` made of its rate, or why it cannot be used. */
export interface RateLine {
  readonly line: number;
  /** The names of the columns, in their order. */
  readonly columns: readonly string[];
  readonly cells: readonly string[];
  readonly read: { readonly row: RateRow } | { readonly problems: readonly Problem[] };
}

/** The result of `make` for each rate. Throws `invalid_request` naming the wrong lines. */
export async function readRates(lines: AsyncIterable<RateLine>): Promise<readonly RateRow[]> {
  const rows: RateRow[] = [];
  const faults: string[] = [];
  for await (const { line, read } of lines) {
    if ('row' in read) rows.push(read.row);
    else {
      const { field, problem } = read.problems[0]!;
      faults.push(`line ${line}: ${field} ${problem}`.trim());
    }
    if (faults.length === faultsMax) throw wrong(faults);
  }
  if (faults.length > 0) throw wrong(faults);
  return rows;
}

/** The lines of a file. Throws `invalid_request` for what is no table of rates. */
export async function* rateLines(
  raw: IncomingMessage,
  signal: AbortSignal,
  make: (rate: Rate) => RateRow,
): AsyncGenerator<RateLine> {
  const lines = new Map<string, number>();
  let columns: readonly string[] | undefined;
  let count = 0;
  for await (const some of csvRecords(raw, signal)) {
    for (const { line, fields: cells } of some) {
      if (columns === undefined) {
        columns = readHeader(cells);
        continue;
      }
      count += 1;
      if (count > importRowsMax) throw invalid('file', `at most ${importRowsMax} rates`);
      const read = readLine(columns, cells, make, (key) => lines.get(key));
      if ('row' in read) lines.set(keyOf(read.row), line);
      yield { line, columns, cells, read };
    }
  }
  if (columns === undefined) throw invalid('file', 'is empty');
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
): RateLine['read'] {
  const given = header.map((name, at) => [name, fields[at]?.trim() ?? ''] as const);
  const read = rateRequest.safeParse(Object.fromEntries(given.filter(([, text]) => text !== '')));
  if (!read.success) {
    const problems = read.error.issues.map(({ path, message }) => {
      return { field: path.join(' '), problem: message };
    });
    return { problems };
  }
  const row = make(read.data);
  if (isNeverValid(row)) return { problems: [{ field: 'valid_until', problem: neverValid }] };
  const before = lineOf(keyOf(row));
  if (before === undefined) return { row };
  const problem = `is that of ${row.prefix} in line ${before} too; leave one of them out`;
  return { problems: [{ field: 'valid_from', problem }] };
}

function keyOf({ prefix, currency, valid_from }: RateRow): string {
  return `${prefix} ${currency} ${valid_from.toISOString()}`;
}

/** Why a rate that ends before it begins is refused; the request may leave out when it begins. */
export const neverValid = 'must be after valid_from, which is now unless it is given';

export function isNeverValid({ valid_from, valid_until }: Span): boolean {
  return valid_until !== null && valid_until <= valid_from;
}

type Span = Pick<RateRow, 'valid_from' | 'valid_until'>;
