import { expect, test } from 'vitest';
import { lineProduct, referencesBySums } from './line-sums.ts';
import { rowsOf, sampleDatabase, sampleTables } from './sample-tables.kit.ts';
import { proposeSections } from './sections.ts';

const price = (at: number) => 10 + (at % 7) * 3;
const count = (at: number) => 2 + (at % 5);
/** Two lines a document, of the amounts that `lines` has. */
const totalOf = (document: number) =>
  [document * 2 - 1, document * 2].reduce((sum, at) => sum + count(at) * price(at), 0);

const lines = rowsOf(
  60,
  (at) => `${at}, ${500 + Math.ceil(at / 2)}, ${count(at)}, ${price(at)}, ${count(at) * price(at)}`,
);
const headers = rowsOf(
  30,
  (at) =>
    `${500 + at}, 2026-02-${String((at % 28) + 1).padStart(2, '0')}, ${totalOf(at)}, ${at % 4}`,
);

test('lines point at what they come to, whatever tables and columns are called', () => {
  const tables = sampleTables({
    zz01: ['f1, f2, f3, f4', ...headers],
    zz02: ['g1, g2, g3, g4, g5', ...lines],
    zz03: ['h1, h2, h3', ...rowsOf(30, (at) => `${500 + at}, ${at * 7}, ${at * 11}`)],
  });
  expect(lineProduct(tables[1]!)).toEqual({ quantity: 'g3', price: 'g4', amount: 'g5' });
  expect(lineProduct(tables[0]!)).toBeUndefined();
  expect(referencesBySums(tables).map(({ reference }) => reference)).toMatchObject([
    { table: 'zz02', columns: ['g2'], to: 'zz01', toColumns: ['f1'] },
  ]);
});

test('prices in smaller parts than amounts, and discounts of some lines, are seen through', () => {
  const parts = rowsOf(60, (at) => {
    const amount = count(at) * price(at) * (at % 6 === 0 ? 0.9 : 1);
    return `${at}, ${count(at)}, ${price(at) * 10_000}, ${Math.round(amount * 100)}`;
  });
  const [table] = sampleTables({ zz02: ['g1, g2, g3, g4', ...parts] });
  expect(lineProduct(table!)).toEqual({ quantity: 'g2', price: 'g3', amount: 'g4' });
});

test('discounts of most lines are seen through by the column that says them', () => {
  const rows = rowsOf(60, (at) => {
    const off = (at % 4) * 250;
    const amount = (count(at) * price(at) * (10_000 - off)) / 10_000;
    return `${at}, ${count(at) * 1000}, ${price(at) * 10_000}, ${off}, ${Math.round(amount * 100)}`;
  });
  const [table] = sampleTables({ zz02: ['g1, g2, g3, g4, g5', ...rows] });
  expect(lineProduct(table!)).toEqual({ quantity: 'g2', price: 'g3', amount: 'g5' });
});

test('numbers that are all alike are no factor', () => {
  const rows = rowsOf(60, (at) => `${at}, ${10_000 + (at % 9)}, ${price(at)}.5, ${price(at)}.5`);
  const [table] = sampleTables({ zz02: ['g1, g2, g3, g4', ...rows] });
  expect(lineProduct(table!)).toBeUndefined();
});

test('a number that repeats from kind to kind is a key together with the kind', () => {
  const kinds = (all: readonly string[], kind: string) => all.map((row) => `${kind}, ${row}`);
  const keyed = (table: ReturnType<typeof sampleTables>[number], ...primaryKey: string[]) => ({
    ...table,
    primaryKey,
  });
  const [zz01, zz02] = sampleTables({
    zz01: ['f0, f1, f2, f3, f4', ...kinds(headers, 'A'), ...kinds(headers, 'B')],
    zz02: ['g0, g1, g2, g3, g4, g5', ...kinds(lines, 'A')],
  });
  const tables = [keyed(zz01!, 'f0', 'f1'), keyed(zz02!, 'g0', 'g1')];
  expect(referencesBySums(tables).map(({ reference }) => reference)).toMatchObject([
    { columns: ['g2', 'g0'], toColumns: ['f1', 'f0'] },
  ]);
});

test('names of six letters that end with their table are read as the words they are cut from', () => {
  const pad = (at: number) => String((at % 28) + 1).padStart(2, '0');
  const { sections } = proposeSections(
    sampleDatabase({
      V_ALB: ['CODALB, FECALB, CLIALB, TOTALB, REFALB', ...headersOfSix()],
      V_LIN: ['NUMLIN, CODLIN, CANLIN, PRELIN, IMPLIN', ...lines],
      V_CLI: [
        'CODCLI, NOMCLI, DOMCLI, POBCLI, TELCLI',
        ...rowsOf(9, (at) => `${at}, Firma ${at} SL, Calle ${at}, Soria, +34 97520${pad(at)}`),
      ],
    }),
  );
  expect(sections).toMatchObject({
    header: { table: 'V_ALB', match: 'CODALB' },
    lines: { table: 'V_LIN', match: 'CODLIN', matchFrom: 'CODALB' },
    customer: { table: 'V_CLI', match: 'CODCLI', matchFrom: 'CLIALB' },
  });

  function headersOfSix() {
    return rowsOf(
      30,
      (at) => `${500 + at}, 2026-02-${pad(at)}, ${(at % 9) + 1}, ${totalOf(at)}, R${at % 7}`,
    );
  }
});
