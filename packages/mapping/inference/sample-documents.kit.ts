import { profile } from '@drawbridge/profiles/pint-ae/profile.ts';
import type { SourceDocument, SourceRow } from '@drawbridge/records/document.ts';
import { infer } from '../infer.ts';
import type { Join } from '../mapping.ts';

/** A row of a sample, its values by column. */
export type Row = Readonly<Record<string, string | number>>;

/** Documents that are made. */
export const documentCount = 12;

/** A header that has a number and a date. */
export function header(at: number): readonly Row[] {
  return [{ number: `N-${at}`, invoice_date: '2026-03-01' }];
}

/** What is proposed where each of a dozen documents has these rows, made of its number. */
export function propose(
  sections: Readonly<Record<string, (at: number) => readonly Row[]>>,
  joins: Readonly<Record<string, Join>> = {},
) {
  const numbers = Array.from({ length: documentCount }, (_, index) => index + 1);
  const documents = numbers.map((at): SourceDocument => {
    const read = Object.entries(sections).map(([name, rowsOf]) => {
      const rows = rowsOf(at).map((row, index): SourceRow => {
        const values = Object.entries(row).map(([column, value]) => [column, String(value)]);
        return { origin: name, key: `${at}-${index}`, values: Object.fromEntries(values) };
      });
      return [name, rows] as const;
    });
    return { ref: `N-${at}`, sections: Object.fromEntries(read) };
  });
  const columns = Object.entries(sections).flatMap(([section, rowsOf]) =>
    Object.keys(rowsOf(1)[0]!).map((column) => ({ section, origin: section, column, samples: [] })),
  );
  const proposed = infer(columns, profile, { documents, joins }).fields;
  return (target: string) => proposed.find((field) => field.target === target);
}
