import { areFirms } from '../../inference/forms.ts';
import { rememberedByObject } from '../../remembered.ts';
import { columnFacts, type FoundTable, wordsOfColumn } from '../database.ts';
import { subjectOf } from '../references.ts';

const partyWords = ['address', 'city', 'phone', 'email', 'postcode', 'country', 'vatnumber'];

/** Whether the rows of a table look like persons or firms. */
export function isParty(table: FoundTable | undefined, prefixes: ReadonlySet<string>): boolean {
  if (table === undefined) return false;
  const subject = subjectOf(table.name, prefixes);
  const others = ['supplier', 'employee', 'warehouse', 'location', 'seller', 'delivery'];
  if (others.some((one) => subject.has(one))) {
    return false;
  }
  if (holdsFirms(table)) return true;
  const words = new Set(table.columns.flatMap(({ name }) => wordsOfColumn(table, name)));
  const isNamed = table.columns.some(({ name }) => {
    const own = wordsOfColumn(table, name);
    const isFilled = table.sample.length === 0 || columnFacts(table, name).filled > 0;
    return isFilled && (own.includes('name') || own.includes('seller'));
  });
  return isNamed && partyWords.filter((word) => words.has(word)).length >= 2;
}

/** Whether each row is of a firm, whatever its columns are called. */
export const holdsFirms = rememberedByObject(({ columns, sample }: FoundTable) =>
  columns.some(({ name }) => {
    const values = sample.map((row) => row[name] ?? '');
    const areOwn = new Set(values).size >= values.length * 0.8;
    return areOwn && areFirms(values);
  }),
);

/** Whether rows have a name. */
export function hasName(table: FoundTable): boolean {
  return table.columns.some(({ name }) => {
    const isFilled = table.sample.length === 0 || columnFacts(table, name).filled > 0;
    return isFilled && wordsOfColumn(table, name).includes('name');
  });
}

/** Whether rows have a tax number in a column that is called so. */
export function hasTaxNumbers(table: FoundTable): boolean {
  return table.columns.some(
    ({ name }) =>
      wordsOfColumn(table, name).includes('vatnumber') && columnFacts(table, name).filled > 0,
  );
}

/** Whether a row says where somebody is; an account with which one signs in does not. */
export function hasPlace(table: FoundTable): boolean {
  const words = new Set(table.columns.flatMap(({ name }) => wordsOfColumn(table, name)));
  return ['address', 'city', 'postcode', 'country'].filter((word) => words.has(word)).length >= 2;
}
