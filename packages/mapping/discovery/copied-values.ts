import { rememberedByName, rememberedByObject } from '../remembered.ts';
import { columnFacts, type FoundTable, isUnique, isWholeKey, type SampleRow } from './database.ts';

/** Different rows that are pointed at, and different values that are copied from them, at least. */
const differentMin = 5;
/** Of the rows that point somewhere, those that hold what stands there, at least. */
const copiedMin = 0.95;
/** Of the values of the column, those that are keys of the other table, at least: others may point elsewhere. */
const pointingMin = 0.5;

/**
 * Whether a column points at rows of another table as the columns beside it show: documents repeat the name, the town
 * or the tax number of the customer that stands there, whatever the column and the key are called.
 */
export function isShownByCopies(
  from: FoundTable,
  column: string,
  to: FoundTable,
  key: string,
): boolean {
  if (!isWholeKey(to, [key])) return false;
  const rows = rowsByKey(to)(key);
  const { values } = columnFacts(from, column);
  if (values.size < differentMin) return false;
  // The cheapest question first: this is asked of each column and each table.
  const likely = likelyCopies(from, column, to, rows);
  if (likely.length === 0 || !arePointing(values, rows) || isUnique(from, [column])) return false;
  const pairs = from.sample.flatMap((row) => {
    const target = rows.get(row[column] ?? '');
    return target === undefined ? [] : [{ row, target }];
  });
  return likely.some((name) => isCopied(name, pairs, textColumns(to)));
}

/** Rows that are looked at before all are: nearly every pair of tables has numbers in common, and no texts. */
const probes = 3;

/** Columns whose texts stand in the first rows that are pointed at. */
function likelyCopies(
  from: FoundTable,
  column: string,
  to: FoundTable,
  rows: ReadonlyMap<string, SampleRow>,
): readonly string[] {
  let likely = commonTexts(from)(to).filter((name) => name !== column);
  if (likely.length === 0) return [];
  let probed = 0;
  for (const row of from.sample) {
    const target = rows.get(row[column] ?? '');
    if (target === undefined) continue;
    const texts = rowTexts(to)(target);
    likely = likely.filter((name) => (row[name] ?? '') === '' || texts.has(row[name]!));
    probed += 1;
    if (likely.length === 0 || probed === probes) break;
  }
  return likely;
}

/** Texts of a column that are looked for in another table, and those that have to be there, at least. */
const looked = { textsMax: 20, heldMin: 3 } as const;

/** Columns of a table some of whose texts stand in another table: mostly none. */
const commonTexts = rememberedByObject((from: FoundTable) =>
  rememberedByObject((to: FoundTable): readonly string[] =>
    textColumns(from).filter((name) => {
      const some = [...columnFacts(from, name).values.values().take(looked.textsMax)];
      return some.filter((text) => tableTexts(to).has(text)).length >= looked.heldMin;
    }),
  ),
);

const tableTexts = rememberedByObject(
  (table: FoundTable) =>
    new Set(textColumns(table).flatMap((name) => [...columnFacts(table, name).values])),
);

const rowTexts = rememberedByObject((table: FoundTable) =>
  rememberedByObject(
    (row: SampleRow) => new Set(textColumns(table).map((name) => row[name] ?? '')),
  ),
);

function arePointing(values: ReadonlySet<string>, rows: ReadonlyMap<string, SampleRow>): boolean {
  const strayMax = values.size * (1 - pointingMin);
  let stray = 0;
  for (const value of values) {
    if (!rows.has(value)) stray += 1;
    if (stray > strayMax) return false;
  }
  return values.size - stray >= differentMin;
}

interface Pair {
  readonly row: SampleRow;
  readonly target: SampleRow;
}

/** Whether a column holds what one of the others holds in the rows that are pointed at. */
function isCopied(name: string, pairs: readonly Pair[], others: readonly string[]): boolean {
  const filled = pairs.filter(({ row }) => (row[name] ?? '') !== '');
  if (new Set(filled.map(({ row }) => row[name])).size < differentMin) return false;
  return others.some((other) => {
    let missed = 0;
    return filled.every(({ row, target }) => {
      if (row[name] !== target[other]) missed += 1;
      return missed <= filled.length * (1 - copiedMin);
    });
  });
}

const rowsByKey = rememberedByObject((table: FoundTable) =>
  rememberedByName(
    (key): ReadonlyMap<string, SampleRow> =>
      new Map(table.sample.map((row) => [row[key] ?? '', row])),
  ),
);

/** Columns of texts that differ from row to row. */
const textColumns = rememberedByObject((table: FoundTable): readonly string[] =>
  table.columns
    .map(({ name }) => name)
    .filter((name) => {
      const { kind, values } = columnFacts(table, name);
      return kind === 'text' && values.size >= differentMin;
    }),
);
