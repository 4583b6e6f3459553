import { type CimObject, groupOf, groupsOf, textOf } from '@drawbridge/cim/json.ts';
import type { SourceDocument, SourceRow } from '@drawbridge/records/document.ts';
import { apply } from '../apply.ts';
import { infer } from '../infer.ts';
import type { DescribedColumn } from '../inference/columns.ts';
import type { Join, MappingField } from '../mapping.ts';

/** Limits of what is shown of a document; the rest is left out. */
const shownLimits = {
  rowsMax: 10,
  columnsMax: 100,
  columnLengthMax: 256,
  valueLengthMax: 100,
} as const;

/** A line as a person reads it. */
interface ShownLine {
  readonly name?: string;
  readonly quantity?: string;
  readonly price?: string;
  readonly net?: string;
}

/**
 * A document as a person reads it, by what its columns seem to mean: for somebody to say whether these
 * are the invoices, and not for anything to be computed from.
 */
export interface ShownDocument {
  readonly ref: string;
  readonly number?: string;
  /** YYYY-MM-DD where it reads as a date, and otherwise as it stands in the source. */
  readonly date?: string;
  readonly customer?: string;
  readonly currency?: string;
  /** With tax, as the source has it. */
  readonly total?: string;
  /** The first of them. */
  readonly lines: readonly ShownLine[];
  readonly lineCount: number;
  /** The first rows of each section, their values cut. */
  readonly sections: Readonly<Record<string, readonly SourceRow[]>>;
}

/** What a source tells of its documents. */
export interface ShownSource {
  readonly columns: readonly DescribedColumn[];
  readonly joins?: Readonly<Record<string, Join>> | undefined;
  /** The more of them, the surer it is what a column means. */
  readonly documents: readonly SourceDocument[];
}

/** The first `count` documents as a person reads them. */
export function showDocuments(
  { columns, joins, documents }: ShownSource,
  count: number,
): readonly ShownDocument[] {
  const { fields, joins: used } = infer(columns, { fields: [] }, { documents, joins });
  const approved = fields
    .filter(({ target }) => shownTargets.has(target))
    .map((field): MappingField => ({ ...field, status: 'approved' }));
  const mapping = { fields: approved, ...(used === undefined ? {} : { joins: used }) };
  return documents.slice(0, count).map((document) => {
    const { cim } = apply(withFirstRows(document), mapping);
    return {
      ref: document.ref,
      ...readable(cim),
      lineCount: document.sections.lines?.length ?? 0,
      sections: shownSections(document),
    };
  });
}

const shownTargets: ReadonlySet<string> = new Set([
  'number',
  'issue_date',
  'buyer.name',
  'currency',
  'totals.gross',
  'lines[].name',
  'lines[].description',
  'lines[].qty',
  'lines[].unit_price',
  'lines[].net',
]);

function readable(cim: CimObject) {
  return {
    ...named('number', cim.number),
    ...named('date', cim.issue_date),
    ...named('customer', groupOf(cim.buyer)?.name),
    ...named('currency', cim.currency),
    ...named('total', groupOf(cim.totals)?.gross),
    lines: groupsOf(cim.lines).map((line) => ({
      ...named('name', line.name ?? line.description),
      ...named('quantity', line.qty),
      ...named('price', line.unit_price),
      ...named('net', line.net),
    })),
  };
}

function named<Name extends string>(name: Name, value: CimObject[string]) {
  const text = textOf(value);
  return (text === undefined ? {} : { [name]: cut(text) }) as Partial<Record<Name, string>>;
}

/** Joined rows are found among all of their section; of lines the first are enough. */
function withFirstRows(document: SourceDocument): SourceDocument {
  const { lines = [] } = document.sections;
  const sections = { ...document.sections, lines: lines.slice(0, shownLimits.rowsMax) };
  return { ref: document.ref, sections };
}

function shownSections({ sections }: SourceDocument): ShownDocument['sections'] {
  const shown = Object.entries(sections).map(([name, rows]) => [
    name,
    rows.slice(0, shownLimits.rowsMax).map((row) => ({ ...row, values: shownValues(row.values) })),
  ]);
  return Object.fromEntries(shown);
}

function shownValues(values: SourceRow['values']): SourceRow['values'] {
  const shown = Object.entries(values)
    .filter(([column]) => column.length <= shownLimits.columnLengthMax)
    .slice(0, shownLimits.columnsMax)
    .map(([column, value]) => [column, value === null ? null : cut(value)]);
  return Object.fromEntries(shown);
}

function cut(text: string): string {
  return text.slice(0, shownLimits.valueLengthMax).toWellFormed();
}
