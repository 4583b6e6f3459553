import type { SkippedRows } from '@drawbridge/records/table.ts';
import type { LookedRow } from './looked-table.ts';

/** The rows of documents, and how the others are told from them. */
export interface FoundSkippedRows {
  readonly regular: readonly LookedRow[];
  readonly rules: readonly SkippedRows[];
  readonly reason?: string;
}

const totalWord =
  /^[^\p{L}\p{N}]*((?:grand |sub[- ]?|overall )?(?:totals?|sum|summe|gesamt|gesamtsumme|zwischensumme|endsumme|somme|suma|totaal|totale|totais|jumlah|toplam|razem|المجموع|الإجمالي|合计|总计))(?=\P{L}|$)/iu;

/** Rows at the end of a table among which others than totals are looked for: notes, signatures. */
const trailingMax = 10;

/**
 * Rows that belong to no document: totals, and what stands below a table. They are told by columns that
 * every other row fills, so that a line whose item is called "Total station" stays one.
 */
export function findSkippedRows(
  columns: readonly string[],
  body: readonly LookedRow[],
  isWhole: boolean,
): FoundSkippedRows {
  const fills = body.map(({ fields }) => filledIn(columns, fields));
  const usual = upperQuartile(fills.map(({ length }) => length));
  const isOther = (row: LookedRow, index: number) => {
    const filled = fills[index]!.length;
    if (isHeaderAgain(columns, row)) return true;
    if (filled < usual && hasTotal(row)) return true;
    const isLast = isWhole && index >= body.length - trailingMax;
    // A line that leaves out what the first one of its invoice says has an item, and numbers.
    return isLast && filled <= usual * 0.6 && (filled === 1 || !hasText(row));
  };
  const others = body.filter(isOther);
  const regular = body.filter((row, index) => !isOther(row, index));
  if (others.length === 0 || regular.length === 0) return { regular: body, rules: [] };
  return {
    regular,
    rules: rulesOf(columns, regular, others),
    reason: `${placesWords(others)} no line of an invoice: totals, or what stands beside the table. Left out.`,
  };
}

function placesWords(rows: readonly LookedRow[]): string {
  const places = rows.map(({ position }) => position).filter(Number.isFinite);
  if (places.length < rows.length) return 'The last rows have';
  const shown = places.slice(0, 3).join(', ') + (places.length > 3 ? ', …' : '');
  return places.length === 1 ? `Line ${shown} has` : `Lines ${shown} have`;
}

/** Columns that are named for a rule. */
const emptyMax = 20;

function rulesOf(
  columns: readonly string[],
  regular: readonly LookedRow[],
  others: readonly LookedRow[],
): readonly SkippedRows[] {
  const again = others.filter((row) => isHeaderAgain(columns, row));
  const rest = others.filter((row) => !again.includes(row));
  const always = columns.filter((_, at) => regular.every((row) => cellOf(row, at) !== ''));
  const empty = always.filter((column) => {
    const at = columns.indexOf(column);
    return rest.every((row) => cellOf(row, at) === '');
  });
  const first = columns[0] ?? '';
  const rules: SkippedRows[] =
    again.length === 0 ? [] : [{ column: first, begins: cellOf(again[0]!, 0) }];
  if (rest.length === 0) return rules;
  if (empty.length > 1 || (empty.length === 1 && columns.length <= 3))
    return [...rules, { empty: empty.slice(0, emptyMax) }];
  return [...rules, ...beginnings(columns, regular, rest)];
}

/** What the rows begin with, in a column in which no other row begins so. */
function beginnings(
  columns: readonly string[],
  regular: readonly LookedRow[],
  rest: readonly LookedRow[],
): readonly SkippedRows[] {
  const found = new Map<string, SkippedRows>();
  for (const row of rest) {
    const at = row.fields.findIndex((field) => field.trim() !== '');
    const cell = cellOf(row, at);
    const begins = totalWord.exec(cell)?.[1] ?? cell.slice(0, 40);
    const isTelling = regular.every(
      (other) => !cellOf(other, at).toLowerCase().startsWith(begins.toLowerCase()),
    );
    const column = columns[at];
    if (column === undefined || begins === '' || !isTelling) continue;
    found.set(`${at} ${begins}`, { column, begins });
  }
  return [...found.values()].slice(0, trailingMax);
}

function isHeaderAgain(columns: readonly string[], row: LookedRow): boolean {
  return columns.length > 1 && columns.every((column, at) => cellOf(row, at) === column);
}

function hasTotal({ fields }: LookedRow): boolean {
  const texts = fields.map((field) => field.trim()).filter((field) => /\p{L}/u.test(field));
  return texts.slice(0, 2).some((text) => totalWord.test(text));
}

function hasText({ fields }: LookedRow): boolean {
  return fields.some((field) => /\p{L}/u.test(field));
}

function cellOf({ fields }: LookedRow, at: number): string {
  return fields[at]?.trim() ?? '';
}

/** Places of the columns that a row fills. */
function filledIn(columns: readonly string[], fields: readonly string[]): readonly number[] {
  return columns.flatMap((_, at) => ((fields[at] ?? '').trim() === '' ? [] : [at]));
}

/** What a full row has: in a table with many subtotals half of the rows may be short. */
function upperQuartile(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.75)] ?? 0;
}
