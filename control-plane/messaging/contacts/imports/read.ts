import { readPhone } from '@drawbridge/messaging/phone.ts';
import { invalid } from '../../errors.ts';
import type { CsvRecord } from './csv-file.ts';
import type { ImportLine } from './piece.ts';
import type { RowError } from './store.ts';

const columnsMax = 100;
const segmentsMax = 100;
const lengthMax = { attributeName: 64, attribute: 1_000, name: 200, segment: 100 } as const;

export interface ReadOptions {
  /** For numbers without a country code; ISO 3166-1 alpha-2. */
  readonly defaultCountry: string | undefined;
  /** The segment to which all rows are added. */
  readonly segment: string | undefined;
}

export type ReadRow =
  | { readonly kind: 'row'; readonly row: ImportLine }
  | { readonly kind: 'faulty'; readonly errors: readonly RowError[] };

/**
 * Reads the lines under this header: `phone` is the key, `name` and `segments` (separated by `|`)
 * have their own meaning, and every other column is an attribute. Empty fields change nothing.
 * Throws `invalid_request` when the header cannot be used.
 */
export function rowReader(header: CsvRecord, options: ReadOptions): (line: CsvRecord) => ReadRow {
  const columns = readHeader(header.fields);
  const [phoneAt, nameAt, segmentsAt] = [...known].map((column) => columns.indexOf(column));
  const others = columns.flatMap((column, at) => (known.has(column) ? [] : [{ column, at }]));
  return ({ line, fields }) => {
    const errors: RowError[] = [];
    const refuse = (field: string, problem: string) => errors.push({ line, field, problem });
    const cells = fields.map((field) => field.trim());
    let characters = 0;
    cells.forEach((cell, at) => {
      characters += cell.length;
      if (cell.includes('\0')) refuse(columns[at]!, 'holds U+0000');
    });
    const phone = readPhone(cells[phoneAt!]!, options.defaultCountry);
    if (phone.kind === 'refused') refuse('phone', phone.reason);
    const name = cells[nameAt!] || null;
    if (name !== null && name.length > lengthMax.name) refuse('name', 'is too long');
    const segments = readSegments(cells[segmentsAt!] ?? '', options.segment);
    if (segments.length > segmentsMax) refuse('segments', 'are too many');
    if (segments.some((each) => each.length > lengthMax.segment)) {
      refuse('segments', 'one of them is too long');
    }
    const given = others.filter(({ at }) => cells[at] !== '');
    for (const { column, at } of given) {
      if (cells[at]!.length > lengthMax.attribute) refuse(column, 'is too long');
    }
    if (errors.length > 0 || phone.kind === 'refused') return { kind: 'faulty', errors };
    const attributes = Object.fromEntries(given.map(({ column, at }) => [column, cells[at]!]));
    return {
      kind: 'row',
      row: { line, phone: phone.e164, name, attributes, segments, characters },
    };
  };
}

const known: ReadonlySet<string> = new Set(['phone', 'name', 'segments']);

function readSegments(cell: string, all: string | undefined): string[] {
  const own = cell === '' ? [] : cell.split('|').map((each) => each.trim());
  if (all !== undefined) own.push(all);
  return own.length === 0 ? own : [...new Set(own)].filter((each) => each !== '');
}

function readHeader(fields: readonly string[]): string[] {
  const columns = fields.map((field) => {
    const lower = field.trim().toLowerCase();
    return known.has(lower) ? lower : field.trim();
  });
  if (!columns.includes('phone')) throw invalid('file', 'its first line has no column "phone"');
  if (columns.length > columnsMax) throw invalid('file', `it has more than ${columnsMax} columns`);
  if (new Set(columns).size < columns.length) throw invalid('file', 'it has a column twice');
  const isBad = (column: string) =>
    column === '' || column.length > lengthMax.attributeName || column.includes('\0');
  if (columns.some(isBad)) throw invalid('file', 'a column has no name, or one that is too long');
  return columns;
}
