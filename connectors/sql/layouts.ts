import type { FoundDatabase } from '@drawbridge/mapping/discovery/database.ts';
import { withLookups } from '@drawbridge/mapping/discovery/lookups.ts';
import type { CreditNotes } from '@drawbridge/mapping/discovery/sections/credit-notes.ts';
import { proposeSections, type SectionProposal } from '@drawbridge/mapping/discovery/sections.ts';
import { type LayoutProposal, limits } from '../contract.ts';
import { type RecognisedPreset, recognisePresets } from '../presets/recognise.ts';
import { presets } from '../presets/registry.ts';

/** How the documents of a database may be read. */
export interface ProposedLayouts {
  readonly layouts: readonly LayoutProposal[];
  readonly alternatives: readonly string[];
  readonly creditNotes: CreditNotes;
  readonly notes: readonly string[];
}

/** What known ERPs say of a database, and its own tables; those of `header` alone where it is given. */
export function proposeLayouts(
  database: FoundDatabase,
  header: string | undefined,
): ProposedLayouts {
  const proposal = proposeSections(database, header);
  const known =
    header === undefined ? recognisePresets(database, presets).flatMap(layoutsOfPreset) : [];
  const layouts = [...known, ...layoutsOfTables(database, proposal)].slice(0, limits.layoutsMax);
  return {
    layouts,
    alternatives: proposal.alternatives,
    creditNotes: proposal.creditNotes,
    notes: [...doubts(database, layouts, proposal, header), ...creditNoteWords(proposal)],
  };
}

function layoutsOfPreset(preset: RecognisedPreset): readonly LayoutProposal[] {
  const { notes } = preset;
  const shared = {
    title: preset.summary,
    confidence: preset.confidence,
    reasons: {},
    taxCodes: preset.taxCodes,
  };
  const told = [...preset.drift, notes.cancellation, notes.taxCodes, notes.writeBack];
  const all: readonly LayoutProposal[] = [
    {
      ...shared,
      documents: 'invoices',
      layout: layoutOf(preset.sections, preset.changes),
      notes: [...told, ...notes.blindSpots],
    },
    {
      ...shared,
      documents: 'credit notes',
      layout: layoutOf(preset.creditNoteSections, preset.creditNoteChanges),
      notes: [notes.creditNotes, ...told],
    },
  ];
  return all.filter(({ layout }) => Object.keys(layout.sections ?? {}).length > 0);
}

function layoutOf(sections: RecognisedPreset['sections'], changes: RecognisedPreset['changes']) {
  return { sections, ...(changes === undefined ? {} : { changes }) };
}

function layoutsOfTables(
  database: FoundDatabase,
  { sections, reasons, confidence }: SectionProposal,
): readonly LayoutProposal[] {
  if (sections.header === undefined) return [];
  return [
    {
      title: `Invoices in "${sections.header.table}"`,
      documents: 'invoices',
      layout: { sections: withLookups(database, sections) },
      reasons,
      confidence,
      notes: [],
    },
  ];
}

/** Below this another table is about as likely, and a person has to look which one it is. */
const sureMin = 0.85;

function doubts(
  { tables }: FoundDatabase,
  layouts: readonly LayoutProposal[],
  { alternatives, confidence, sections }: SectionProposal,
  header: string | undefined,
): readonly string[] {
  if (tables.length === 0) {
    return [
      'This user sees no table. Give it the right to read them, or name the database or schema in which they stand.',
    ];
  }
  if (tables.every(({ sample }) => sample.length === 0)) {
    return ['All tables are empty: what is proposed follows from their names alone.'];
  }
  if (layouts.length > 0 && (confidence >= sureMin || alternatives.length === 0)) return [];
  if (header !== undefined && sections.header === undefined) {
    return tables.some(({ name }) => name === header)
      ? [
          `No table with quantities and prices points at "${header}": it cannot be the header of invoices.`,
        ]
      : [`This user sees no table "${header}".`];
  }
  const others = alternatives
    .slice(0, 3)
    .map((name) => `"${name}"`)
    .join(', ');
  if (sections.header !== undefined && header === undefined) {
    return [`The invoices may also stand in ${others}: look at the documents, and choose.`];
  }
  if (sections.header !== undefined) return [];
  return [
    'No table looks like invoices with lines.' +
      (others === '' ? '' : ` The likeliest are ${others}: choose one as the header.`),
  ];
}

function creditNoteWords({ creditNotes, sections }: SectionProposal): readonly string[] {
  const header = sections.header?.table ?? '';
  switch (creditNotes.kind) {
    case 'value':
      return [
        `Credit notes are the rows of "${header}" with ${creditNotes.column} = ${creditNotes.value}.`,
      ];
    case 'table':
      return [`Credit notes seem to stand in a table of their own, "${creditNotes.table}".`];
    case 'negative':
      return [
        `Some invoices have a negative ${creditNotes.column}: they are credit notes, and have to be sent as such, with positive amounts.`,
      ];
    case 'none':
      return [];
  }
}
