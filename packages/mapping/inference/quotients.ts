import type { SourceDocument, SourceRow } from '@drawbridge/records/document.ts';
import type { MappingField } from '../mapping.ts';
import { writtenWords } from '../words.ts';
import { reviewedMax } from './candidate.ts';
import type { ReadColumn } from './columns.ts';

/** Columns and documents with the numbers that numerators and denominators make. */
export interface Divided {
  readonly known: readonly ReadColumn[];
  readonly documents: readonly SourceDocument[];
  readonly denominators: Denominators;
}

/** The column of the denominator, by section and column of the numerator. */
export type Denominators = ReadonlyMap<string, string>;

/**
 * Numbers that are kept as two whole ones, so that no digit is lost: 1250 in `price_num` and 100 in `price_denom` are
 * 12.50. Neither of them is a number of the invoice.
 */
export function withQuotients(
  known: readonly ReadColumn[],
  documents: readonly SourceDocument[],
): Divided {
  const denominators = denominatorsOf(known);
  if (denominators.size === 0) return { known, documents, denominators };
  const divided = documents.map((document) => ({
    ...document,
    sections: Object.fromEntries(
      Object.entries(document.sections).map(([section, rows]) => [
        section,
        rows.map((row) => withQuotientsOf(row, section, denominators)),
      ]),
    ),
  }));
  const isDenominator = ({ column }: ReadColumn) =>
    known.some((one) => {
      const { section } = one.column;
      return section === column.section && denominators.get(keyOf(one)) === column.column;
    });
  return {
    documents: divided,
    denominators,
    known: known
      .filter((one) => !isDenominator(one))
      .map((one) => (denominators.has(keyOf(one)) ? quotientOf(one, divided) : one)),
  };
}

/** The field with the step that divides; a person looks at each that has one. */
export function withQuotientStep(field: MappingField, denominators: Denominators): MappingField {
  const { from, transforms = [], confidence = 0, reason = '' } = field;
  const column = from && denominators.get(`${from.section}\n${from.column}`);
  if (column === undefined) return field;
  return {
    ...field,
    transforms: [{ kind: 'divide', by: { column } }, ...transforms],
    confidence: Math.min(confidence, reviewedMax),
    reason: `${reason} It is divided by "${column}".`,
  };
}

const numerators: ReadonlySet<string> = new Set(['num', 'numer', 'numerator', 'nominator']);
const denominatorWords: ReadonlySet<string> = new Set(['den', 'denom', 'denominator']);

const keyOf = ({ column: { section, column } }: ReadColumn) => `${section}\n${column}`;

function denominatorsOf(known: readonly ReadColumn[]): Denominators {
  const found = new Map<string, string>();
  for (const one of known) {
    const stem = stemOf(one, numerators);
    if (stem === undefined || !one.values.every(isWhole)) continue;
    const denominator = known.find(
      (other) =>
        other.column.section === one.column.section &&
        stemOf(other, denominatorWords) === stem &&
        other.values.every((value) => isWhole(value) && Number(value) > 0),
    );
    if (denominator !== undefined) found.set(keyOf(one), denominator.column.column);
  }
  return found;
}

/** What a column is called before its last word, where that is one of those. */
function stemOf({ column }: ReadColumn, last: ReadonlySet<string>): string | undefined {
  const words = writtenWords(column.column);
  return last.has(words.at(-1) ?? '') ? words.slice(0, -1).join(' ') : undefined;
}

function isWhole(value: string): boolean {
  return /^-?\d{1,15}$/.test(value.trim());
}

function withQuotientsOf(row: SourceRow, section: string, denominators: Denominators): SourceRow {
  const values = Object.entries(row.values).map(([column, value]) => {
    const denominator = denominators.get(`${section}\n${column}`);
    if (denominator === undefined || value == null || !isWhole(value)) return [column, value];
    const by = Number(row.values[denominator] ?? 0);
    return [column, by === 0 ? value : String(Number(value) / by)];
  });
  return { ...row, values: Object.fromEntries(values) };
}

/** The numerator with the values that were divided, and without the word that says that it is one. */
function quotientOf(one: ReadColumn, documents: readonly SourceDocument[]): ReadColumn {
  const { section, column } = one.column;
  const rows = documents.flatMap(({ sections }) => sections[section] ?? []);
  const values = rows.map((row) => row.values[column] ?? '').filter((value) => value.trim() !== '');
  const words = [...one.words].filter((word) => word !== 'number' && !numerators.has(word));
  return { ...one, words: new Set(words), values: rows.length === 0 ? one.values : values };
}
