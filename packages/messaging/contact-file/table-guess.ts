import { type Delimiter, delimiters, sniffDelimiter } from '@drawbridge/records/delimiter.ts';
import { LenientCsv, type LenientRecord } from '@drawbridge/records/lenient-csv.ts';
import { cleanCell, looksLikePhone } from './cell.ts';
import { namesPhone } from './columns.ts';

/** How the table of a file is read. */
export interface TableReading {
  readonly separator: Delimiter;
  /** The line that names the columns, from 1; 0: none does. */
  readonly headerLine: number;
}

/** How its lines are counted, and what was chosen; the rest is guessed. */
export interface TableChoices {
  readonly separator?: Delimiter | undefined;
  readonly headerLine?: number | undefined;
  readonly countsRecords?: boolean;
}

/** Records at the beginning of a file that may be its header. */
const headersLooked = 10;

/**
 * How the file that begins with these lines is read: by the separator under which one of the first records
 * names a phone, or else the one that cuts them alike. A first record with a phone in it is no header.
 */
export function guessTable(lines: readonly string[], choices: TableChoices): TableReading {
  const told = /^"?sep=([,;\t|])"?\r?$/i.exec(lines[0] ?? '')?.[1] as Delimiter | undefined;
  const wanted = choices.separator ?? told;
  const tried = (wanted === undefined ? delimiters : [wanted]).map((separator) => {
    const records = recordsOf(lines, separator, choices);
    const header = records.slice(0, headersLooked).find(({ fields }) => namesPhone(fields));
    return { separator, records, header };
  });
  const [best] = tried
    .filter(({ header }) => header !== undefined)
    .sort((a, b) => b.header!.fields.length - a.header!.fields.length);
  const separator = best?.separator ?? wanted ?? sniffDelimiter(lines.join('\n'));
  const { header, records } = best ?? tried.find((each) => each.separator === separator)!;
  const headerLine = choices.headerLine ?? (header ?? firstHeader(records))?.line ?? 0;
  return { separator, headerLine };
}

function firstHeader([first]: readonly LenientRecord[]): LenientRecord | undefined {
  return first?.fields.some((field) => looksLikePhone(cleanCell(field))) ? undefined : first;
}

/** The records of the first lines of a file. */
export function recordsOf(
  lines: readonly string[],
  separator: Delimiter,
  { countsRecords = false }: TableChoices,
): LenientRecord[] {
  const csv = new LenientCsv({ separator, countsRecords });
  const text = { kind: 'lines', lines, misread: new Set<number>() } as const;
  return [...csv.push(text), ...csv.end()].filter(({ fields }) => !isSeparatorLine(fields));
}

/** `sep=;` on the first line tells a spreadsheet how to read the file. */
export function isSeparatorLine([first = '', ...rest]: readonly string[]): boolean {
  return /^"?sep=.?"?$/i.test(first) && rest.every((field) => field === '');
}
