import { wordsOf, writtenWords } from '../../words.ts';
import { type FoundTable, isUnfilled, type Reference, wordsOfColumn } from '../database.ts';
import { abbreviatedByLines } from '../document-abbreviations.ts';
import { subjectOf } from '../references.ts';
import { type HeaderColumn, headerColumns } from './header-columns.ts';
import { isParty } from './party-tables.ts';
import type { ReferenceGraph } from './reference-graph.ts';

/** Words of the names of tables that are no invoices of ours, and what they cost. */
const headerPenalties: Readonly<Record<string, number>> = {
  supplier: 8,
  quote: 6,
  recurring: 6,
  log: 5,
  payment: 5,
  delivery: 5,
  employee: 4,
  warehouse: 4,
  location: 4,
  item: 4,
  line: 5,
  tax: 4,
  price: 4,
  order: 1.5,
  credit: 3,
  category: 3,
  contact: 3,
  address: 4,
  account: 0.5,
  discount: 4,
  bank: 5,
};

/** Words that documents of many kinds are called by, so that they say less than "invoice". */
const weakInvoiceWords: ReadonlySet<string> = new Set(
  `doc docs document documents documento documentos dokument dokumente dokumenten trans transaction transactions
    trx trxs txn txns move moves voucher vouchers beleg`.split(/\s+/),
);

/** What it says for a table that it has such a column. */
const columnWorth: Readonly<Record<HeaderColumn, number>> = {
  date: 1.5,
  number: 1,
  total: 1.5,
  due: 1,
  tax: 1,
  currency: 0.5,
  buyer: 1.5,
  supplier: -5,
};

/** How much a table looks like one of headers of invoices; higher is likelier. */
export function headerScore(
  table: FoundTable,
  { prefixes, from, to, byName, isEmpty }: ReferenceGraph,
): number {
  const pointing = (to.get(table.name) ?? []).map((one) => one.table);
  const words = new Set([
    ...subjectOf(table.name, prefixes),
    ...pointing.flatMap((lines) => abbreviatedByLines(table.name, lines)),
  ]);
  let score = 0;
  if (words.has('invoice')) {
    score += writtenWords(table.name).some((word) => weakInvoiceWords.has(word)) ? 2.5 : 5;
  }
  if (words.has('order')) score += 1.5;
  if (wordsOf(table.name).includes('parent') || /header|kopf|cabecera|entete/i.test(table.name))
    score += 1;
  if (/sales|venta|verkauf|vente|jualan|debtor|receivable|(^|[_.])(ar|sl)(_|$)/i.test(table.name))
    score += 1.5;
  if (words.has('buyer')) score += words.has('invoice') ? 1 : -4;
  for (const word of words) score -= headerPenalties[word] ?? 0;
  const kinds = headerColumns(table);
  for (const [kind, worth] of Object.entries(columnWorth)) {
    if (kinds.has(kind as HeaderColumn)) score += worth;
  }
  if (!kinds.has('date')) score -= 3;
  // Firms that buy and sell have one number as taxpayers.
  const isByTax = ({ columns: [column = ''] }: Reference) =>
    wordsOfColumn(table, column).includes('vatnumber');
  const partners = (from.get(table.name) ?? [])
    .filter((one) => !isByTax(one) && !isUnfilled(table, one.columns[0]!))
    .map(({ to }) => subjectOf(to, prefixes));
  if (partners.some((subject) => subject.has('buyer'))) score += 2.5;
  if (partners.some((subject) => subject.has('supplier'))) score -= 5;
  const hasParty = (from.get(table.name) ?? []).some((each) =>
    isParty(byName.get(each.to), prefixes),
  );
  if (!kinds.has('buyer') && hasParty) score += 1.5;
  const isBuyerInOrder = (from.get(table.name) ?? []).some(({ to }) => {
    const order = byName.get(to);
    const isOrder = order !== undefined && subjectOf(to, prefixes).has('order');
    return (
      isOrder && words.has('invoice') && kinds.has('number') && headerColumns(order).has('buyer')
    );
  });
  // A document that says nothing of its customer is rather a part of another one, if not its order does.
  if (!kinds.has('buyer') && !hasParty && !words.has('buyer')) score += isBuyerInOrder ? 1.5 : -3;
  if (table.sample.length === 0 && !isEmpty) score -= 4;
  return score;
}
