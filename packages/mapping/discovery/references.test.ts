import { expect, test } from 'vitest';
import type { FoundTable } from './database.ts';
import { likelyReferences } from './references.ts';
import { rowsOf, sampleDatabase } from './sample-tables.kit.ts';

/** Columns that all look like kinds or like numbers of invoices, and whose pairs repeat only at the end. */
function wideTable(name: string, width: number): FoundTable {
  const columns = Array.from({ length: width }, (_, at) => {
    return { name: `${at % 2 === 0 ? 'type' : 'x'}_invoice_number_${at}`, type: 'text' };
  });
  const cellOf = (row: number, at: number) => String(at % 2 === 0 ? row % 25 : row % 175);
  const sample = Array.from({ length: 200 }, (_, row) =>
    Object.fromEntries(columns.map((column, at) => [column.name, cellOf(row, at)])),
  );
  return { name, columns, primaryKey: [], uniques: [], rows: 200, sample };
}

test('tables with hundreds of columns are compared in seconds, and others are served in between', () => {
  const tables = ['a', 'b', 'c'].map((name) => wideTable(`invoice_${name}`, 600));
  const begun = performance.now();
  let turns = 0;
  let last = begun;
  let longest = 0;
  for (const _ of likelyReferences(tables, [])) {
    turns += 1;
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }
  expect(turns).toBeGreaterThanOrEqual(tables.length);
  // Before there was a limit each of them took a minute on a quiet machine.
  expect(longest).toBeLessThan(10_000);
});

test('of tables that may be meant alike the one is pointed at that is called so', () => {
  const named = (key: string): readonly [string, ...string[]] => [
    `${key}, note`,
    ...rowsOf(8, (at) => `${at}, Text ${at}`),
  ];
  const { references } = sampleDatabase({
    inventory: named('id'),
    products: named('id'),
    invoice_items: ['line, product_id', ...rowsOf(8, (at) => `${at + 20}, ${at}`)],
  });
  const found = references.find(({ columns }) => columns[0] === 'product_id');
  expect(found?.to).toBe('products');
});

test('names of several words point at the rows that have them, whatever both are called', () => {
  const firm = (at: number) => `${'ABCDEFGHI'[at % 9]} Trading LLC`;
  const ledgers = ['Sales', 'VAT output', ...rowsOf(9, firm)];
  const { references } = sampleDatabase({
    mst_ledger: ['guid, name', ...ledgers.map((name, at) => `g-${at}, ${name}`)],
    vouchers: ['id, party', ...rowsOf(18, (at) => `${at}, ${firm(at)}`)],
  });
  const found = references.find(({ columns }) => columns[0] === 'party');
  expect(found).toMatchObject({ to: 'mst_ledger', toColumns: ['name'] });
});

test('a column points at the table that it is called as, not at another one with that column as its key', () => {
  const { references } = sampleDatabase({
    stock: ['item, on_hand', ...rowsOf(12, (at) => `${at + 300}, ${at}`)],
    item: ['id, name', ...rowsOf(12, (at) => `${at + 300}, Pump ${at}`)],
    invoice_lines: ['line, item', ...rowsOf(12, (at) => `${at + 20}, ${at + 300}`)],
  });
  const found = references.find(({ table }) => table === 'invoice_lines');
  expect(found?.to).toBe('item');
});
