import type { SourceDocument } from '@drawbridge/records/document.ts';
import { isCalledWithTax, isTaxAmount, type ReadColumn } from '../columns.ts';
import { isNear, numberAt, numbersOf, shareOf, sumOf } from '../numbers.ts';
import { type DocumentSums, hasTotal, headerNumber, provedMin, totalAt } from './document-sums.ts';
import { totalBeforeDiscount } from './totals-before-discount.ts';

/** What a column of the header is the sum of; `lines`: of their amounts, of which no tax was seen. */
export type TotalKind = 'net' | 'tax' | 'gross' | 'lines';

/** A column of the header, and the share of the documents of which it is that total. */
interface LikelyTotal {
  readonly column: ReadColumn;
  readonly kind: TotalKind;
  readonly share: number;
}

/** Columns of the header by what they are the sum of; `documents` are those whose lines come to something. */
export function totalsOf(
  documents: readonly DocumentSums[],
  headers: readonly ReadColumn[],
  charges: readonly ReadColumn[],
): ReadonlyMap<ReadColumn, TotalKind> {
  const found = new Map<ReadColumn, LikelyTotal>();
  const read = documents.map(({ document }) => document);
  for (const one of netTaxAndGross(read, headers)) {
    if (one.share > (found.get(one.column)?.share ?? 0)) found.set(one.column, one);
  }
  for (const column of headers) {
    const share = shareOf(documents, (sums) => hasTotal(sums, column, sums.sum));
    if (share < provedMin || found.has(column)) continue;
    found.set(column, { column, kind: 'lines', share });
  }
  for (const part of partsOfNets(documents, charges, found)) {
    found.set(part, { ...found.get(part)!, kind: 'lines' });
  }
  const charged = chargedNets(documents, headers, charges, found);
  for (const column of charged) found.set(column, { column, kind: 'net', share: 1 });
  const nets = [...found.values()].filter(({ kind }) => kind === 'lines' || kind === 'net');
  const before = totalBeforeDiscount(
    read,
    headers,
    nets.map(({ column }) => column),
  );
  if (before !== undefined && charged.length === 0) {
    found.delete(before.lines);
    found.set(before.tax, { column: before.tax, kind: 'tax', share: 1 });
    found.set(before.gross, { column: before.gross, kind: 'gross', share: 1 });
  }
  if ([...found.values()].every(({ kind }) => kind !== 'gross')) {
    for (const net of [...found.values()].filter(({ kind }) => kind === 'net')) {
      const column = namedWithTax(net.column, headers);
      if (column === undefined || found.has(column)) continue;
      found.set(column, { column, kind: 'gross', share: net.share });
    }
  }
  return new Map(surest([...found.values()]).map(({ column, kind }) => [column, kind]));
}

/** Totals of the header to which tax is added, or in which it is; not what they come to before a discount. */
export function taxedTotals(
  documents: readonly SourceDocument[],
  headers: readonly ReadColumn[],
): readonly ReadColumn[] {
  const found = netTaxAndGross(documents, headers).filter(({ kind }) => kind !== 'tax');
  return [...new Set(found.map(({ column }) => column))];
}

/** A column whose share of documents is so much less than that of another one of its kind is of the books' money. */
const sameKindMargin = 0.02;

function surest(totals: readonly LikelyTotal[]): readonly LikelyTotal[] {
  return totals.filter(({ kind, share }) =>
    totals.every((one) => one.kind !== kind || one.share <= share + sameKindMargin),
  );
}

/** Taxes of more than this share of the amount are none. */
const taxShareMax = 0.5;

/** Three columns of which one, named for tax, is what the third has more than the first. */
function netTaxAndGross(
  documents: readonly SourceDocument[],
  headers: readonly ReadColumn[],
): readonly LikelyTotal[] {
  const numbers = new Map(
    headers.map((one) => [one, documents.map((document) => totalAt(document, one))]),
  );
  const places = documents.map((_, at) => at);
  const taxes = headers.filter(
    (one) =>
      isTaxAmount(one) && numbers.get(one)!.some((value) => value !== undefined && value !== 0),
  );
  // Two taxes are a third one too.
  const others = headers.filter((one) => !isTaxAmount(one));
  const found: LikelyTotal[] = [];
  for (const net of others) {
    for (const tax of taxes) {
      for (const gross of others) {
        if (net === gross) continue;
        const [nets, more, all] = [net, tax, gross].map((one) => numbers.get(one)!);
        const share = shareOf(places, (at) => {
          const [x, y, z] = [nets![at], more![at], all![at]];
          if (x === undefined || y === undefined || z === undefined) return false;
          return Math.abs(y) <= Math.abs(x) * taxShareMax && isNear(Math.abs(x + y), Math.abs(z));
        });
        if (share < provedMin) continue;
        found.push({ column: net, kind: 'net', share });
        found.push({ column: tax, kind: 'tax', share });
        found.push({ column: gross, kind: 'gross', share });
      }
    }
  }
  return found;
}

/**
 * Totals without tax of the lines alone, which with those of a charge make that of the document: each of the three may
 * have its tax beside it.
 */
function partsOfNets(
  documents: readonly DocumentSums[],
  charges: readonly ReadColumn[],
  found: ReadonlyMap<ReadColumn, LikelyTotal>,
): readonly ReadColumn[] {
  const nets = [...found.values()].flatMap(({ column, kind }) => (kind === 'net' ? [column] : []));
  const at = (sums: DocumentSums, column: ReadColumn) => headerNumber(sums, column) ?? 0;
  const isOfLines = (one: ReadColumn) =>
    shareOf(documents, (sums) => hasTotal(sums, one, sums.sum)) >= provedMin;
  return nets.filter(
    (part) =>
      isOfLines(part) &&
      nets.some((net) =>
        [...charges, ...nets].some((charge) => {
          if (new Set([part, net, charge]).size < 3) return false;
          const isSum = (sums: DocumentSums) =>
            isNear(at(sums, part) + at(sums, charge), at(sums, net));
          const isCharged = documents.some((sums) => at(sums, charge) !== 0);
          return isCharged && shareOf(documents, isSum) >= provedMin;
        }),
      ),
  );
}

/** Totals that are what the lines come to and a charge beside it: "total without tax" of "products" and "shipping". */
function chargedNets(
  documents: readonly DocumentSums[],
  headers: readonly ReadColumn[],
  charges: readonly ReadColumn[],
  found: ReadonlyMap<ReadColumn, LikelyTotal>,
): readonly ReadColumn[] {
  const lines = headers.filter((one) => found.get(one)?.kind === 'lines');
  const nets = headers.filter((one) => !found.has(one) && one.words.has('net'));
  const at = (sums: DocumentSums, column: ReadColumn) => headerNumber(sums, column) ?? 0;
  return nets.filter((net) =>
    lines.some((line) =>
      charges.some((charge) => {
        const isSum = (sums: DocumentSums) =>
          isNear(at(sums, line) + at(sums, charge), at(sums, net));
        return net !== charge && shareOf(documents, isSum) >= provedMin;
      }),
    ),
  );
}

/** The column that is called as one without tax is, but with tax, and holds no less. */
function namedWithTax(net: ReadColumn, headers: readonly ReadColumn[]): ReadColumn | undefined {
  const nets = numbersOf(net);
  return headers.find(
    (one) =>
      isCalledWithTax(one, net) &&
      one.values.length === nets.length &&
      numbersOf(one).every((value, row) => Math.abs(value) >= Math.abs(nets[row]!)),
  );
}

/** Documents that tell, at least. */
const documentsMin = 3;

/** Totals that the amounts of tax of the lines make: their sum, and that with the lines. */
export function totalsOfLineTaxes(
  documents: readonly DocumentSums[],
  headers: readonly ReadColumn[],
  lineTaxes: readonly ReadColumn[],
): readonly (readonly [ReadColumn, TotalKind])[] {
  if (documents.length < documentsMin) return [];
  for (const lineTax of lineTaxes) {
    const taxOf = ({ rows }: DocumentSums) => sumOf(rows, (row) => numberAt(row, lineTax) ?? 0);
    if (documents.every((sums) => taxOf(sums) === 0)) continue;
    const others = headers.filter((one) => !isSameColumn(one, lineTax));
    const found = others.flatMap((column) =>
      (['tax', 'gross'] as const).flatMap((kind) => {
        const share = shareOf(documents, (sums) =>
          hasTotal(sums, column, taxOf(sums) + (kind === 'gross' ? sums.sum : 0)),
        );
        return share >= provedMin ? [{ column, kind, share }] : [];
      }),
    );
    if (found.length > 0) return surest(found).map(({ column, kind }) => [column, kind]);
  }
  return [];
}

/** Whether header and lines stand in one table, and it is the same column of it: that proves nothing. */
function isSameColumn({ column: one }: ReadColumn, { column: other }: ReadColumn): boolean {
  return one.origin === other.origin && one.column === other.column;
}
