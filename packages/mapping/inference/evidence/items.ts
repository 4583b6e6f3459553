import type { SourceDocument } from '@drawbridge/records/document.ts';
import { mappedValues, reviewedMax } from '../candidate.ts';
import type { DescribedColumn, ReadColumn } from '../columns.ts';
import { shareOf } from '../numbers.ts';
import { atMost, type Rule, withConfidence } from './rule.ts';
import { areCodes, areKeys } from './values.ts';

/** Different names of items, at least, before a table is believed to be theirs. */
const itemsMin = 5;

/** What a line points at by a name that says nothing may be its item, or a table of codes. */
export const byItem: Rule = (candidate, { known }) => {
  const { target, column } = candidate;
  if (column.role !== 'item' || !/^lines\[\]\.(name|description)$/.test(target)) return candidate;
  const isTold = known.some(
    ({ column: { section }, isJoined, words }) =>
      section === 'lines' && isJoined && words.has('item'),
  );
  return isTold || new Set(column.values).size >= itemsMin
    ? candidate
    : atMost(candidate, reviewedMax, 'It may be the name of something else.');
};

/** A number by which a line points at its item, and codes, are no names of it. */
export const byItemCode: Rule = (candidate, { known }) => {
  const { target, column } = candidate;
  if (target === 'lines[].sku' && areKeys(column.values) && !isNumbered(column)) {
    return atMost(candidate, 0.6, 'It points at the item by a number that people may not know.');
  }
  if (!/^lines\[\]\.(name|description)$/.test(target) || !areCodes(column.values)) return candidate;
  if (known.some(isDescribed)) return undefined;
  return withConfidence(candidate, candidate.confidence - 0.2, 'Its values look like codes.');
};

/** Whether it is a text of the line or its item that is no code. */
function isDescribed({ role, words, values }: ReadColumn): boolean {
  const isOfLine = role === 'line' || role === 'item';
  return isOfLine && words.has('description') && values.length > 0 && !areCodes(values);
}

/** Whether it is called a number or code of an item, and points at no row. */
function isNumbered({ words, isKey, isJoined }: ReadColumn): boolean {
  return !isKey && !isJoined && (words.has('number') || words.has('code'));
}

/** Names of items that the text of their line has, of all, at least. */
const inTextMin = 0.9;

/** A description with a long one beside it is the name; the long one is what describes it. */
export const byLongText: Rule = (candidate, { known }) => {
  const { target, column } = candidate;
  const { section } = column.column;
  if (!/^lines\[\]\.(name|description)$/.test(target) || section !== 'lines') return candidate;
  if (!column.words.has('description')) return candidate;
  const isLong = ({ words }: ReadColumn) => words.has('long') && words.has('description');
  const others = known.filter((one) => one !== column && one.column.section === section);
  if (isLong(column)) {
    const isBeside = others.some(({ words }) => words.size === 1 && words.has('description'));
    return target === 'lines[].name' && isBeside ? undefined : candidate;
  }
  const isDescribed = column.words.size === 1 && others.some(isLong);
  return target === 'lines[].description' && isDescribed ? undefined : candidate;
};

/** Where the line has a text of its own with the name of its item and more, a person looks which of them is meant. */
export const byLineText: Rule = (candidate, { known, documents }) => {
  const { target, column } = candidate;
  if (target !== 'lines[].name' || column.role !== 'item') return candidate;
  const isText = ({ role, column: { section }, words }: ReadColumn) =>
    role === 'line' && section === 'lines' && (words.has('description') || words.has('name'));
  const isTold = known.some((one) => isText(one) && areInTexts(column, one, documents));
  return isTold
    ? atMost(candidate, reviewedMax, 'The text of the line has it, and says more.')
    : candidate;
};

/** Whether nearly all the names stand within texts of the same document, with more beside them. */
function areInTexts(
  { column: names }: ReadColumn,
  { column: texts }: ReadColumn,
  documents: readonly SourceDocument[],
): boolean {
  const valuesOf = ({ sections }: SourceDocument, { section, column }: DescribedColumn) =>
    (sections[section] ?? []).map(({ values }) => values[column]?.trim() ?? '');
  const pairs = documents.flatMap((each) => {
    const own = valuesOf(each, texts);
    const named = valuesOf(each, names).filter((name) => name !== '');
    return named.map((name) => ({ name, texts: own }));
  });
  return (
    pairs.length > 0 &&
    shareOf(pairs, ({ name, texts: own }) =>
      own.some((text) => text !== name && text.includes(name)),
    ) >= inTextMin
  );
}

const unitLengthMax = 12;

/** Units are known, or are short codes. */
export const byUnit: Rule = (candidate) => {
  const { target, column } = candidate;
  const { values } = column;
  if (target !== 'lines[].unit' || values.length === 0) return candidate;
  if (values.some((value) => value.length > unitLengthMax)) return undefined;
  if (values.every((value) => /^-?[\d.]+$/.test(value))) return undefined;
  const mapped = mappedValues(candidate);
  const isHeld = (value: string) => mapped.has(value.trim()) || /^[A-Z0-9]{2,3}$/.test(value);
  return shareOf(values, isHeld) < 0.5
    ? atMost(candidate, 0.6, 'Its units are not known.')
    : candidate;
};
