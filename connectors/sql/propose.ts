import type { ColumnDescription } from '../contract.ts';
import type { Sections, TableSection } from './settings.ts';

/** Header and line tables of well-known ERPs. */
const knownHeaders = new Set(
  'oinv iv sl_iv oeinvh sop30200 account_move'.split(' ').concat('tabsales invoice'),
);
const knownLines = new Set(
  'inv1 ivdtl sl_ivdtl oeinvd sop30300 account_move_line'
    .split(' ')
    .concat('tabsales invoice item'),
);
/** Dynamics writes the company before the table's name and the application's id after it. */
const dynamicsHeader = /^(.*\$)?sales invoice header(\$.*)?$/i;
const dynamicsLines = /^(.*\$)?sales invoice line(\$.*)?$/i;

function isKnownHeader(name: string): boolean {
  return knownHeaders.has(name.toLowerCase()) || dynamicsHeader.test(name);
}

function isKnownLines(name: string): boolean {
  return knownLines.has(name.toLowerCase()) || dynamicsLines.test(name);
}

const invoiceWords = /invoice|inv(?![a-z])|faktur|rechnung|factur|bill(?!ing_?addr)|receivable/i;
const headerWords = /header|head|hdr|master/i;
const lineWords = /line|item|detail|dtl|position|row|entries/i;
const taxWords = /tax|vat|gst|sst|btw|mwst/i;
const customerWords = /customer|client|debtor|debitor|buyer|partner|party|ocrd|contact/i;
const otherWords =
  /payment|history|log|audit|status|queue|archive|temp|tmp|purchase|supplier|vendor/i;

const numberColumn =
  /^(doc_?num(ber)?|doc_?no|(sales_?)?inv(oice)?_?(no|num|number)_?|number|no_?|name|sopnumbe)$/i;
const keyColumn = /^(id|doc_?entry|doc_?key|invuniq|name|no_|.*_id|uuid|guid)$/i;
const dateColumn = /date/i;
const currencyColumn = /curr|curncy/i;
const totalColumn = /total|amount|docamt/i;
const quantityColumn = /qty|quantity|qtyshipped/i;
const priceColumn = /price|unit_?cost|rate/i;
const descriptionColumn = /desc|name|item|product|sku|article/i;
const customerColumn =
  /^(card_?code|(customer|client|debtor|buyer|partner)_?(id|code|no|number)?)$/i;
const orderColumn = /^(line_?(num|no|number)_?|lnitmseq|seq(uence)?|idx|pos(ition)?|vis_?order)$/i;

/** How much a table's name looks like it belongs to an invoice; higher is likelier. */
export function tableLikelihood(name: string): number {
  if (isKnownHeader(name)) return 10;
  if (isKnownLines(name)) return 9;
  const isOther = otherWords.test(name);
  if (invoiceWords.test(name)) return isOther ? 2 : 8;
  if (customerWords.test(name)) return isOther ? 1 : 5;
  if (taxWords.test(name)) return isOther ? 1 : 4;
  return isOther ? -1 : 0;
}

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

/**
 * Proposes sections (header, lines, taxes, customer) from described tables, by their names and by
 * columns that look like references; empty when nothing looks like an invoice header.
 */
export function proposeSections(columns: readonly ColumnDescription[]): Sections {
  const tables = tablesOf(columns);
  const header = best(tables, headerScore, 4);
  if (header === undefined) return {};
  const key = headerKey(header);
  const match = find(header, numberColumn) ?? key;
  const sections: Record<string, TableSection> = { header: { table: header.name, key, match } };
  const children = tables.filter((table) => table !== header);
  const lines = best(children, (table) => lineScore(table, header, key), 4);
  if (lines !== undefined) sections.lines = childSection(lines, header, key);
  const taxes = best(
    children.filter((table) => table !== lines),
    (table) => taxScore(table, header, key),
    3,
  );
  if (taxes !== undefined) sections.taxes = childSection(taxes, header, key);
  const customer = customerSection(children, header);
  if (customer !== undefined) sections.customer = customer;
  return sections;
}

function tablesOf(columns: readonly ColumnDescription[]): Table[] {
  const byTable = Map.groupBy(columns, ({ origin }) => origin);
  return [...byTable].map(([name, described]) => ({
    name,
    columns: described.map(({ column }) => column),
  }));
}

function best(
  tables: readonly Table[],
  score: (table: Table) => number,
  least: number,
): Table | undefined {
  let winner: Table | undefined;
  let highest = least - 1;
  for (const table of tables) {
    const points = score(table);
    // The shorter name wins a tie: "invoice" before "invoice_copy".
    const isShorter = points === highest && winner && table.name.length < winner.name.length;
    if (points <= highest && !isShorter) continue;
    winner = table;
    highest = points;
  }
  return winner;
}

function headerScore(table: Table): number {
  if (isKnownHeader(table.name)) return 20;
  const { name } = table;
  let score = invoiceWords.test(name) ? 4 : 0;
  if (headerWords.test(name)) score += 2;
  if (lineWords.test(name) || taxWords.test(name)) score -= 5;
  if (otherWords.test(name) || customerWords.test(name)) score -= 4;
  for (const column of [numberColumn, dateColumn, currencyColumn, totalColumn, customerColumn]) {
    if (has(table, column)) score += 1;
  }
  if (has(table, quantityColumn)) score -= 2;
  return score;
}

function lineScore(table: Table, header: Table, key: string): number {
  if (referenceColumn(table, header, key) === undefined) return 0;
  if (isKnownLines(table.name)) return 20;
  let score = lineWords.test(table.name) ? 3 : 0;
  if (taxWords.test(table.name)) score -= 2;
  if (otherWords.test(table.name)) score -= 3;
  if (has(table, quantityColumn)) score += 3;
  if (has(table, priceColumn)) score += 2;
  if (has(table, descriptionColumn)) score += 1;
  return score;
}

function taxScore(table: Table, header: Table, key: string): number {
  if (referenceColumn(table, header, key) === undefined || !taxWords.test(table.name)) return 0;
  return 3 + (has(table, totalColumn) ? 1 : 0) + (has(table, quantityColumn) ? -2 : 0);
}

function headerKey(header: Table): string {
  const own = bareName(header.name);
  const ownId = header.columns.find((column) => fold(column) === `${fold(own)}id`);
  return (
    ownId ??
    header.columns.find((column) => /^id$/i.test(column)) ??
    header.columns.find((column) => /^doc_?(entry|key)$/i.test(column)) ??
    find(header, keyColumn) ??
    find(header, numberColumn) ??
    header.columns[0] ??
    ''
  );
}

/** The column of `table` that seems to point at `header`, and the header column it points at. */
function referenceColumn(
  table: Table,
  header: Table,
  key: string,
): { readonly column: string; readonly target: string } | undefined {
  const own = fold(bareName(header.name));
  const names = new Set([own, fold(singular(bareName(header.name))), 'invoice', 'inv', 'move']);
  // A key such as DocEntry has the same name in the lines; "id" is in every table.
  const isTelling = !/^(id|name|no_?)$/i.test(key);
  const same = isTelling ? table.columns.find((column) => fold(column) === fold(key)) : undefined;
  if (same !== undefined) return { column: same, target: key };
  const number = find(header, numberColumn);
  for (const column of table.columns) {
    const folded = fold(column);
    for (const name of names) {
      if (folded === `${name}id` || folded === `${name}key` || folded === name) {
        return { column, target: key };
      }
      const isNumber = [`${name}no`, `${name}number`, `${name}num`, 'documentno'].includes(folded);
      if (isNumber && number !== undefined) return { column, target: number };
    }
    if (/^parent(_id)?$/i.test(column)) return { column, target: key };
  }
  return undefined;
}

function childSection(table: Table, header: Table, key: string): TableSection {
  const reference = referenceColumn(table, header, key);
  const orderBy = find(table, orderColumn);
  const own =
    table.columns.find((column) => /^id$/i.test(column)) ??
    table.columns.find((column) => /^(dtl_?key|line_?id)$/i.test(column)) ??
    orderBy ??
    table.columns.find((column) => keyColumn.test(column) && column !== reference?.column);
  return {
    table: table.name,
    key: own ?? table.columns[0] ?? '',
    match: reference?.column ?? '',
    matchFrom: reference?.target ?? key,
    ...(orderBy === undefined ? {} : { orderBy }),
  };
}

function customerSection(tables: readonly Table[], header: Table): TableSection | undefined {
  const from = header.columns.find((column) => customerColumn.test(column));
  if (from === undefined) return undefined;
  const stem = fold(from).replace(/(id|code|no|number)$/, '');
  const customer = best(
    tables.filter(({ columns }) => customerKey(columns, from) !== undefined),
    ({ name, columns }) => {
      if (lineWords.test(name) || invoiceWords.test(name)) return 0;
      const isNamed = customerWords.test(name) ? 3 : 0;
      const isMeant = stem !== '' && fold(name).includes(stem) ? 3 : 0;
      return isNamed + isMeant + (columns.some((column) => /name/i.test(column)) ? 1 : 0);
    },
    4,
  );
  if (customer === undefined) return undefined;
  const key = customerKey(customer.columns, from) ?? '';
  return { table: customer.name, key, match: key, matchFrom: from };
}

function customerKey(columns: readonly string[], from: string): string | undefined {
  return (
    columns.find((column) => fold(column) === fold(from)) ??
    columns.find((column) =>
      (/id$/i.test(from) ? /^id$/i : /^(acc_?no|code|no_?)$/i).test(column),
    ) ??
    columns.find((column) => /^(id|name)$/i.test(column))
  );
}

function bareName(name: string): string {
  return name
    .replace(/^.*[.$](?=[A-Za-z])/, '')
    .replace(/^tab/, '')
    .replace(/[ _]?header.*$/i, '');
}

function singular(name: string): string {
  return name.replace(/ies$/i, 'y').replace(/s$/i, '');
}

function fold(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function find(table: Table, pattern: RegExp): string | undefined {
  return table.columns.find((column) => pattern.test(column));
}

function has(table: Table, pattern: RegExp): boolean {
  return find(table, pattern) !== undefined;
}
