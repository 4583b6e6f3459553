import { foundCompany } from '@drawbridge/mapping/discovery/found-company.ts';
import { type ShownDocument, showDocuments } from '@drawbridge/mapping/discovery/shown-document.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import {
  type ConnectorFault,
  type DiscoverOutcome,
  type DiscoverWish,
  type LayoutProposal,
  limits,
} from '../contract.ts';
import { withTimeLimit } from '../fault.ts';
import { placesOf } from '../found-places.ts';
import { describeSections } from './describe.ts';
import { discover } from './discover.ts';
import type { RunStatement, SqlDriver, Unanswered } from './driver.ts';
import { proposeLayouts } from './layouts.ts';
import { keyset, newestRefs } from './list.ts';
import { makePlan } from './planner.ts';
import { readBatch } from './read.ts';
import { changes, type SqlSettings, sections } from './settings.ts';

/** Documents from which it is found what a column means. */
const evidenceMax = 20;
/** Milliseconds to read them in: sections that are not meant may be slow to read. */
const documentsMs = 10_000;

/** Looks through a database, proposes how its invoices are read, and reads the newest ones so. */
export async function discoverSource(
  driver: SqlDriver,
  settings: SqlSettings,
  { header }: DiscoverWish,
  signal: AbortSignal,
): Promise<DiscoverOutcome> {
  const found = await discover(driver, signal);
  if (found.kind === 'unanswered') return { kind: 'unreachable', fault: found.fault };
  const { database } = found;
  const { layouts: proposed, alternatives, creditNotes, notes } = proposeLayouts(database, header);
  const layouts = proposed.filter(isUsable);
  const [surest] = layouts;
  const newest =
    surest === undefined
      ? { documents: [], notes: [] }
      : await newestDocuments(driver, settings, surest, withTimeLimit(signal, documentsMs));
  return {
    kind: 'discovered',
    source: driver.where,
    product: found.product,
    places: placesOf(database.tables),
    layouts,
    alternatives,
    creditNotes,
    company: foundCompany(database),
    documents: newest.documents,
    notes: [
      ...(layouts.length < proposed.length ? [unusableWords] : []),
      ...notes,
      ...newest.notes,
      ...found.notes,
    ].slice(0, limits.notesMax),
  };
}

const unusableWords =
  'A way to read the invoices was left out: names of its tables or columns are longer than settings hold.';

/** Names of a database may be longer than settings take, or empty. */
function isUsable({ layout }: LayoutProposal): boolean {
  return sections.safeParse(layout.sections).success && changes.safeParse(layout.changes).success;
}

interface Newest {
  readonly documents: readonly ShownDocument[];
  readonly notes: readonly string[];
}

async function newestDocuments(
  driver: SqlDriver,
  settings: SqlSettings,
  { layout }: LayoutProposal,
  signal: AbortSignal,
): Promise<Newest> {
  const proposed = {
    ...settings,
    sections: sections.parse(layout.sections),
    changes: changes.parse(layout.changes),
  };
  const read = await driver.inReadTransaction((run) => readNewest(run, driver, proposed), signal);
  if (read.kind === 'unanswered') return { documents: [], notes: [unreadWords(read.fault)] };
  const documents = showDocuments(read, limits.shownDocumentsMax);
  const isEmpty = documents.length === 0 && read.faults.length === 0;
  const notes = isEmpty
    ? ['There is no document yet with these sections.']
    : [...new Set(read.faults)];
  return { documents, notes };
}

interface Read {
  readonly kind: 'read';
  readonly columns: Parameters<typeof showDocuments>[0]['columns'];
  readonly joins: Parameters<typeof showDocuments>[0]['joins'];
  readonly documents: readonly SourceDocument[];
  readonly faults: readonly string[];
}

async function readNewest(
  run: RunStatement,
  driver: SqlDriver,
  settings: SqlSettings,
): Promise<Read | Unanswered> {
  const planned = await makePlan(run, driver, settings);
  if (planned.kind === 'unplanned') return { kind: 'unanswered', fault: planned.fault };
  const { plan } = planned;
  if (plan.header.kind === 'query') throw new Error('discovery proposes tables only');
  const described = await describeSections(run, plan, driver.dialect);
  if (described.kind === 'unreachable') return { kind: 'unanswered', fault: described.fault };
  const order = keyset(plan.header, settings.changes);
  const refs = await newestRefs(run, plan.header, order, driver.dialect, evidenceMax);
  if ('kind' in refs) return { kind: 'unanswered', fault: refs.fault };
  const outcomes = await readBatch(run, plan, driver.dialect, refs);
  if ('kind' in outcomes) return outcomes;
  return {
    kind: 'read',
    columns: described.columns,
    joins: described.joins,
    documents: outcomes.flatMap((each) => (each.kind === 'found' ? [each.document] : [])),
    faults: outcomes.flatMap((each) => (each.kind === 'unusable' ? [unreadWords(each.fault)] : [])),
  };
}

function unreadWords({ message }: ConnectorFault): string {
  return `Documents could not be read with these sections. ${message}`;
}
