import type { SourceDocument, SourceRow } from '@drawbridge/records/document.ts';
import type { ReadColumn } from '../columns.ts';
import { isNear, numberAt, sumOf } from '../numbers.ts';
import { amountOf, type LineProduct } from './line-product.ts';

/** The share of lines or documents that something has to explain for it to be proved, at least. */
export const provedMin = 0.8;

/** What the lines of a document come to. */
export interface DocumentSums {
  readonly document: SourceDocument;
  readonly header: SourceRow | undefined;
  readonly rows: readonly SourceRow[];
  /** Of each row. */
  readonly quantities: readonly number[];
  /** Of each row: quantity × price, less the discount. */
  readonly amounts: readonly number[];
  readonly sum: number;
}

/** What the lines of a document come to by a product. */
export function sumsOf(document: SourceDocument, product: LineProduct): DocumentSums {
  const rows = document.sections.lines ?? [];
  const amounts = rows.map((row) => amountOf(row, product) ?? 0);
  return {
    document,
    header: document.sections.header?.[0],
    rows,
    quantities: rows.map((row) => numberAt(row, product.quantity) ?? 0),
    amounts,
    sum: sumOf(amounts, (amount) => amount),
  };
}

/** The number in a column of the header, or of the order that it points at. */
export function headerNumber({ document }: DocumentSums, column: ReadColumn): number | undefined {
  return totalAt(document, column);
}

/** The number in a column of a section that has one row for each document. */
export function totalAt({ sections }: SourceDocument, column: ReadColumn): number | undefined {
  const row = sections[column.column.section]?.[0];
  return row === undefined ? undefined : numberAt(row, column);
}

/** Whether a column of the header has that total, whatever its sign, but for what the lines were rounded by. */
export function hasTotal(sums: DocumentSums, column: ReadColumn, total: number): boolean {
  const found = headerNumber(sums, column);
  return found !== undefined && isNear(Math.abs(found), Math.abs(total), sums.rows.length);
}
