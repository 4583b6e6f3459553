import {
  type FoundDatabase,
  type FoundTable,
  isUnfilled,
  type Reference,
  tellingKey,
  wordsOfColumn,
} from './database.ts';
import type { DocumentFilter } from './document-filters/document-filter.ts';
import { documentFilters } from './document-filters.ts';
import { subjectOf } from './references.ts';
import { childSection, rowKeyOf } from './sections/child-section.ts';
import { type CreditNotes, creditNotesOf } from './sections/credit-notes.ts';
import { customerSection } from './sections/customer-section.ts';
import { type DocumentTables, likelyPairs } from './sections/document-tables.ts';
import { headerAndLineRows, lineFilters } from './sections/line-filters.ts';
import { lineReference } from './sections/line-reference.ts';
import { numberColumn } from './sections/number-column.ts';
import { type ReferenceGraph, referenceGraph } from './sections/reference-graph.ts';
import type { ProposedSection } from './sections/section.ts';

/** What a database's invoices consist of, as far as it can be seen. */
export interface SectionProposal {
  /** By name; empty when nothing looks like an invoice. */
  readonly sections: Readonly<Record<string, ProposedSection>>;
  /** Why, in plain words, a sentence for each section. */
  readonly reasons: Readonly<Record<string, string>>;
  /** 0 to 1. */
  readonly confidence: number;
  /** Other tables that might hold the header, likeliest first. */
  readonly alternatives: readonly string[];
  readonly creditNotes: CreditNotes;
}

const none: SectionProposal = {
  sections: {},
  reasons: {},
  confidence: 0,
  alternatives: [],
  creditNotes: { kind: 'none' },
};

/** Below this nothing looks like an invoice. */
const scoreMin = 8;

/** Other tables that are named for the header. */
const alternativesMax = 5;

/**
 * Proposes what an invoice consists of, from structure, values, joins and names together.
 *
 *   const { sections } = proposeSections(database);
 *   sections.header // { table: 'invoices', key: 'id', match: 'number' }
 *
 * With `header`, the table that a person says the invoices stand in, whatever it looks like.
 */
export function proposeSections(database: FoundDatabase, header?: string): SectionProposal {
  const graph = referenceGraph(database);
  const pairs = likelyPairs(graph).toSorted((one, other) => other.score - one.score);
  const best = header === undefined ? pairs[0] : pairs.find((pair) => pair.header.name === header);
  if (best === undefined || (header === undefined && best.score < scoreMin)) {
    return { ...none, alternatives: headersOf(pairs) };
  }
  const others = pairs.filter((pair) => pair.header !== best.header);
  return {
    ...documentOf(best, graph),
    confidence: confidenceOf(best.score, others[0]?.score ?? 0),
    alternatives: headersOf(others),
  };
}

/** Tables that might hold headers, the likeliest first. */
function headersOf(pairs: readonly DocumentTables[]): readonly string[] {
  return [...new Set(pairs.map(({ header }) => header.name))].slice(0, alternativesMax);
}

function confidenceOf(score: number, second: number): number {
  const strength = Math.min(1, score / 24);
  const margin = Math.min(1, Math.max(0, (score - second) / 5));
  return Math.round((0.4 + 0.35 * strength + 0.24 * margin) * 100) / 100;
}

/** The sections of a document, given the tables of its header and lines. */
function documentOf(
  { header, lines, reference: likeliest }: DocumentTables,
  graph: ReferenceGraph,
): Pick<SectionProposal, 'sections' | 'reasons' | 'creditNotes'> {
  const { database } = graph;
  const split = likeliest === undefined ? headerAndLineRows(header) : undefined;
  const filters =
    split === undefined ? documentFilters(header, lines, likeliest, database) : [split.header];
  const reference = likeliest && lineReference(header, lines, likeliest, filters, graph);
  const match = numberColumn(header, lines, reference, filters, graph);
  const sections: Record<string, ProposedSection> = {
    header: {
      table: header.name,
      key: headerKey(header, reference, match),
      match,
      ...whereOf(filters),
      ...(reference === undefined && split === undefined ? { repeats: true as const } : {}),
    },
    lines:
      reference === undefined
        ? {
            table: lines.name,
            key: rowKeyOf(lines, [match], undefined),
            match,
            matchFrom: match,
            ...(split === undefined ? {} : whereOf([split.lines])),
          }
        : withFilters(
            childSection(lines, reference, filters),
            lineFilters(lines, reference, header, filters, graph),
          ),
  };
  const reasons: Record<string, string> = {
    header: `"${header.name}" has a date, a customer and a number, and "${lines.name}" its lines.`,
    lines: `"${lines.name}" has quantities and prices, and points at "${header.name}".`,
  };
  const taxes = taxesOf(header, lines, database);
  if (taxes !== undefined) {
    sections.taxes = childSection(taxes.table, taxes.reference, filters);
    reasons.taxes = `"${taxes.table.name}" has tax amounts, and points at "${header.name}".`;
  }
  const customer = customerSection(header, filters, graph);
  if (customer !== undefined) {
    sections.customer = customer.section;
    reasons.customer = customer.reason;
  }
  return { sections, reasons, creditNotes: creditNotesOf(header, filters, database) };
}

function headerKey(table: FoundTable, reference: Reference | undefined, match: string): string {
  const key = tellingKey(table);
  if (key.length === 1 && reference !== undefined) return key[0]!;
  if (reference !== undefined) return reference.toColumns[0]!;
  return key.length === 1 ? key[0]! : match;
}

function withFilters(
  section: ProposedSection,
  filters: readonly DocumentFilter[],
): ProposedSection {
  if (filters.length === 0) return section;
  return { ...section, where: { ...section.where, ...whereOf(filters).where } };
}

function whereOf(filters: readonly DocumentFilter[]) {
  if (filters.length === 0) return {};
  return { where: Object.fromEntries(filters.map(({ column, value }) => [column, value])) };
}

function taxesOf(
  header: FoundTable,
  lines: FoundTable,
  { tables, references }: FoundDatabase,
): { readonly table: FoundTable; readonly reference: Reference } | undefined {
  const found = references
    .filter(({ to, table, columns: [column = ''] }) => {
      const own = tables.find(({ name }) => name === table);
      const isEmpty = own !== undefined && isUnfilled(own, column);
      return to === header.name && table !== lines.name && !isEmpty;
    })
    .map((reference) => ({
      reference,
      table: tables.find(({ name }) => name === reference.table)!,
    }))
    .filter(({ table }) => table !== undefined && isTaxTable(table))
    .sort((one, other) => other.reference.confidence - one.reference.confidence);
  return found[0];
}

function isTaxTable(table: FoundTable): boolean {
  const words = subjectOf(table.name);
  if (!words.has('tax') || words.has('supplier')) return false;
  const own = table.columns.map(({ name }) => wordsOfColumn(table, name));
  const has = (word: string) => own.some((each) => each.includes(word));
  return (has('amount') || has('total')) && !has('quantity');
}
