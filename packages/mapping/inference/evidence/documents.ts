import type { SourceDocument } from '@drawbridge/records/document.ts';
import { reviewedMax } from '../candidate.ts';
import { isNamedBy, type ReadColumn } from '../columns.ts';
import { shareOf } from '../numbers.ts';
import { atMost, type Rule, withConfidence } from './rule.ts';

/** What a line has by its name, also where all lines that were seen have the same. */
const ofLines = ['item', 'quantity', 'price', 'unit'];

/**
 * In a table with a row for each line, what is the same in all rows of a document is the document's; what is the same in
 * all documents too may be either's, as its name says.
 */
export const byTable: Rule = (candidate, { documents, known }) => {
  const { column, role, words } = candidate.column;
  const other = role === 'document' ? 'lines' : role === 'line' ? 'header' : undefined;
  const origin = known.find((one) => one.column.section === other)?.column.origin;
  if (other === undefined || origin !== column.origin) return candidate;
  const lists = severalLines(documents, column.column);
  if (lists.length === 0) return candidate;
  const isSame = lists.every((values) => new Set(values).size === 1);
  const isOfLine = new Set(lists.flat()).size === 1 && ofLines.some((word) => words.has(word));
  if (role === 'document') return isSame && !isOfLine ? candidate : undefined;
  const mayRepeat = isOfLine || /tax\.|\.qty$|\.unit$|percent$/.test(candidate.target);
  return isSame && !mayRepeat ? undefined : candidate;
};

/** What is the same in all lines of a document tells none of them apart. */
export const byPosition: Rule = (candidate, { documents }) => {
  const { section, column } = candidate.column.column;
  if (candidate.target !== 'lines[].id' || section !== 'lines') return candidate;
  const lists = severalLines(documents, column);
  const isTelling = lists.every((values) => new Set(values).size === values.length);
  return isTelling ? candidate : undefined;
};

/** What a column of the lines holds in each document with more than one. */
function severalLines(
  documents: readonly SourceDocument[],
  column: string,
): readonly (readonly (string | null | undefined)[])[] {
  return documents
    .map(({ sections }) => (sections.lines ?? []).map(({ values }) => values[column]))
    .filter((values) => values.length > 1);
}

/** The number is what documents are named by; the name of a file may be something else altogether. */
export const byReference: Rule = (candidate, { documents, known }) => {
  const { column } = candidate.column;
  if (candidate.target !== 'number' || column.section !== 'header' || documents.length === 0) {
    return candidate;
  }
  const isRef = (name: string) =>
    documents.every(({ ref, sections }) => {
      const value = sections.header?.[0]?.values[name];
      return value && (isNamedBy(ref, value) || ref.startsWith(`${value}.`));
    });
  if (isRef(column.column)) {
    // Where the key of the rows counts as the number does, other documents may have been counted with it.
    const isCopied = known.some(
      (one) =>
        one !== candidate.column &&
        one.column.section === 'header' &&
        !isBareKey(one) &&
        isRef(one.column.column),
    );
    if (isBareKey(candidate.column) && isCopied) return atMost(candidate, 0.7);
    const confidence = Math.max(0.93, candidate.confidence);
    const sure = withConfidence(candidate, confidence, 'Documents are found by it.');
    return isCalledAccount(candidate.column)
      ? atMost(sure, reviewedMax, 'It is called after an account.')
      : sure;
  }
  const isAnother = known.some(
    (one) => one.column.section === 'header' && isRef(one.column.column),
  );
  const numbers = documents.map(({ sections }) => sections.header?.[0]?.values[column.column]);
  const isOwn = new Set(numbers).size === documents.length;
  return !isAnother && isOwn ? candidate : atMost(candidate, 0.7);
};

/** What is called an account and nothing else tells documents apart, but another number may stand on them. */
function isCalledAccount({ words }: ReadColumn): boolean {
  return words.size === 1 && words.has('account');
}

/** A column that is called a key, and not of what. */
function isBareKey({ words }: ReadColumn): boolean {
  return words.size === 1 && words.has('id');
}

/** Documents whose number it repeats, of all, at least. */
const copiesMin = 0.8;

/** A text that repeats the number of its document is made up of other columns, and no reference of the buyer. */
export const byOwnNumber: Rule = (candidate, { documents }) => {
  const { section, column } = candidate.column.column;
  if (/^(purchase_order|buyer_reference)$/.test(candidate.target) && section === 'header') {
    const isCopy = ({ ref, sections }: SourceDocument) =>
      sections.header?.[0]?.values[column]?.trim() === ref;
    return shareOf(documents, isCopy) >= copiesMin ? undefined : candidate;
  }
  if (!/^lines\[\]\.(name|description)$/.test(candidate.target) || section !== 'lines') {
    return candidate;
  }
  const rows = documents.flatMap(({ ref, sections }) =>
    (sections.lines ?? []).map(({ values }) => ({ ref, text: values[column] ?? '' })),
  );
  const isMadeUp = rows.length > 0 && rows.every(({ ref, text }) => text.includes(ref));
  return isMadeUp ? undefined : candidate;
};
