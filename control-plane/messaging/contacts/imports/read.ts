import { cleanCell, readPhoneCell } from '@drawbridge/messaging/contact-file/cell.ts';
import type { ColumnIssue, FileColumn } from '@drawbridge/messaging/contact-file/columns.ts';
import { readPhone } from '@drawbridge/messaging/phone.ts';
import type { LenientRecord } from '@drawbridge/records/lenient-csv.ts';
import type { Problem } from '../../file-problems.ts';
import type { ImportLine } from './piece.ts';
import type { RowProblems } from './store.ts';

const segmentsMax = 100;
const lengthMax = { attribute: 1_000, name: 200, segment: 100 } as const;

export interface ReadOptions {
  /** For numbers without a country code; ISO 3166-1 alpha-2. */
  readonly defaultCountry: string | undefined;
  /** The segment to which all rows are added. */
  readonly segment: string | undefined;
}

export type ReadRow =
  | { readonly kind: 'row'; readonly row: ImportLine }
  | { readonly kind: 'faulty'; readonly faulty: RowProblems };

/** Controls that no text has, and what stands for a character that could not be read. */
const unreadable = /[\u0080-\u009f\ufffd]/;

const valueIssues: Readonly<Record<ColumnIssue, string>> = {
  unnamed: 'has a value, and no name in the header',
  duplicate: 'has a value, and another column has the same name',
  too_long: 'has a value, and a name that is too long',
  unusable: 'has a value, and a name that cannot be used',
};

/** Reads rows by what their columns become. Empty fields change nothing. */
export function rowReader(
  columns: readonly FileColumn[],
  options: ReadOptions,
): (record: LenientRecord) => ReadRow {
  const of = (field: FileColumn['field']) =>
    columns.flatMap((column, at) => (column.field === field ? [at] : []));
  const [phoneAt = -1] = of('phone');
  const names = of('name');
  const [segmentsAt = -1] = of('segments');
  const attributes = columns.flatMap(({ attribute }, at) =>
    attribute === null ? [] : [{ attribute, at }],
  );
  const unread = columns.flatMap(({ issue }, at) => (issue === undefined ? [] : [{ issue, at }]));
  const labelOf = (at: number) => columns[at]?.name || `column ${at + 1}`;
  return ({ line, fields, problem }) => {
    const problems: Problem[] = [];
    const refuse = (field: string, problem: string) => problems.push({ field, problem });
    if (problem !== undefined) {
      return { kind: 'faulty', faulty: { line, fields, problems: [{ field: 'line', problem }] } };
    }
    const cells = fields.map(cleanCell);
    let characters = 0;
    cells.forEach((cell, at) => {
      characters += cell.length;
      if (unreadable.test(cell)) refuse(labelOf(at), 'holds a character that cannot be read');
      if (at >= columns.length && cell !== '') refuse(labelOf(at), 'is beyond the last column');
    });
    for (const { issue, at } of unread) if (cells[at]) refuse(labelOf(at), valueIssues[issue]);
    const phone = phoneOf(cells[phoneAt] ?? '', options.defaultCountry);
    if (phone.kind === 'refused') refuse('phone', phone.reason);
    const name = names.length === 1 ? (cells[names[0]!] ?? '') : joined(names, cells);
    if (name.length > lengthMax.name) refuse('name', 'is too long');
    const segments = readSegments(cells[segmentsAt] ?? '', options.segment);
    if (segments.length > segmentsMax) refuse('segments', 'are too many');
    if (segments.some((each) => each.length > lengthMax.segment)) {
      refuse('segments', 'one of them is too long');
    }
    const given: [string, string][] = [];
    for (const { attribute, at } of attributes) {
      const cell = cells[at];
      if (cell === undefined || cell === '') continue;
      if (cell.length > lengthMax.attribute) refuse(attribute, 'is too long');
      given.push([attribute, cell]);
    }
    if (problems.length > 0 || phone.kind === 'refused') {
      return { kind: 'faulty', faulty: { line, fields, problems } };
    }
    const row = {
      line,
      phone: phone.e164,
      name: name || null,
      attributes: Object.fromEntries(given),
      segments,
      characters,
    };
    return { kind: 'row', row };
  };
}

function phoneOf(cell: string, defaultCountry: string | undefined) {
  const read = readPhoneCell(cell, defaultCountry);
  return read.kind === 'refused' ? read : readPhone(read.text, defaultCountry);
}

function joined(places: readonly number[], cells: readonly string[]): string {
  return places
    .map((at) => cells[at] ?? '')
    .filter(Boolean)
    .join(' ');
}

function readSegments(cell: string, all: string | undefined): string[] {
  const own = cell === '' ? [] : cell.split('|').map((each) => each.trim());
  if (all !== undefined) own.push(all);
  return own.length === 0 ? own : [...new Set(own)].filter((each) => each !== '');
}
