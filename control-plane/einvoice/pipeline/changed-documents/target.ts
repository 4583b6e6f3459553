import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import type { Environment } from '../../../platform/auth/principal.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { readLifeTimes } from '../../../platform/retention/store.ts';
import { findCompany } from '../../company/store.ts';
import { type ConnectorRow, findConnectors, findMappings } from '../../connectors/store.ts';
import { createInvoices, newInvoice } from '../../invoices/new-invoices.ts';
import { lockSubmissions } from '../../invoices/store.ts';
import { type Withdrawal, withdrawHeld } from '../held-invoices/hold-steps.ts';
import type { PipelineContext } from '../work-item.ts';
import { firstDay, type Wanted } from './judge.ts';
import { tellSourceChanges } from './sent-documents.ts';
import {
  findLatest,
  findSent,
  findSubmitted,
  lockHeld,
  type SentInvoice,
  type Submitted,
} from './store.ts';

/** The connector, in one environment, for which changed documents are submitted. */
export interface Target {
  readonly tenantId: string;
  readonly environment: Environment;
  readonly connectorId: string;
}

/** What decides which of its documents are submitted. */
interface TargetState {
  readonly connector: ConnectorRow | undefined;
  /** Those of the documents that were submitted. */
  readonly known: ReadonlyMap<string, Submitted>;
  /** Invoices of those that were sent, the latest first. */
  readonly sent: ReadonlyMap<string, readonly SentInvoice[]>;
  /** Undefined: nothing is submitted. `unmapped`: nothing tells the day of issue yet. */
  readonly wanted: Wanted | 'unmapped' | undefined;
}

export async function loadTarget(
  { db, clock }: PipelineContext,
  { tenantId, environment, connectorId }: Target,
  refs: readonly string[],
): Promise<TargetState> {
  return db.tenant(tenantId, async (tx) => {
    const [connector] = await findConnectors(tx, tenantId, [connectorId]);
    const mappings = await findMappings(tx, tenantId, [connectorId]);
    const lifeDays = (await readLifeTimes(tx, { tenantId, environment })).invoice;
    const from = firstDay(connector?.submit_from[environment], lifeDays, clock());
    const mapping = mappings.find(
      ({ profile }) => profile === connector?.default_profile,
    )?.document;
    const company = await findCompany(tx, { tenantId, environment });
    const known = await findSubmitted(tx, tenantId, environment, connectorId, refs);
    const sentRefs = refs.filter((ref) => known.get(ref) === 'sent');
    return {
      connector,
      known,
      sent: await findSent(tx, tenantId, environment, connectorId, sentRefs),
      wanted: from === undefined ? undefined : wantedOf(mapping, from),
    };

    function wantedOf(document: Mapping | undefined, day: string): Wanted | 'unmapped' {
      const isApproved = document?.fields.some(({ status }) => status === 'approved') ?? false;
      if (document === undefined || !isApproved) return 'unmapped';
      const posted = connector?.submission[environment]?.posted;
      return { mapping: document, from: day, posted, mappings, company };
    }
  });
}

/** Why documents wait that are not mapped. */
export const unmappedReason = 'no mapping is approved that tells the day of issue';

/** A document whose invoice is held, as its source holds it now. */
export type HeldDocument =
  | { readonly kind: 'wanted'; readonly content: string | undefined }
  | { readonly kind: 'unwanted'; readonly reason: string; readonly content?: string };

/** What was found out about changed documents of a connector. */
export interface ChangedDocuments {
  readonly refs: readonly string[];
  readonly wanted: readonly string[];
  /** By ref; those of which nothing is known are left out. */
  readonly held: ReadonlyMap<string, HeldDocument>;
  /** Wanted ones in files whose name had another document: the id of its latest invoice that was sent. */
  readonly another: ReadonlyMap<string, string>;
  /** What differs from invoices that were sent, by their ids. */
  readonly differing: ReadonlyMap<string, readonly string[]>;
}

/**
 * Withdraws held invoices that are outdated, and makes invoices of the wanted documents that have none;
 * returns which of `refs` had one.
 */
export async function submitNew(
  context: PipelineContext,
  tx: Tx,
  { tenantId, environment, connectorId }: Target,
  connector: ConnectorRow | undefined,
  { refs, wanted, held, another, differing }: ChangedDocuments,
): Promise<TargetState['known']> {
  const ids = { now: context.clock(), random: context.random };
  // Two workers may hold the same document, reported twice, and a client may submit it meanwhile: one
  // makes the invoice, the others see it.
  await lockSubmissions(tx, [connectorId]);
  await withdrawOutdated(context, tx, { tenantId, environment, connectorId }, held);
  const known = await findSubmitted(tx, tenantId, environment, connectorId, refs);
  const target = { tenantId, environment, connectorId };
  const fresh = new Set([
    ...wanted.filter((ref) => !known.has(ref)),
    ...(await stillAnother(tx, target, another)),
  ]);
  const profile = connector?.default_profile;
  const invoices = [...fresh].flatMap((sourceRef) =>
    profile ? [newInvoice({ tenantId, environment, connectorId, profile, sourceRef }, ids)] : [],
  );
  await createInvoices(tx, context, tenantId, invoices, ids);
  const doubtful = await tellSourceChanges(tx, tenantId, differing, ids);
  if (doubtful.length > 0) await context.jobs.runNow(tx, tenantId, 'acknowledge', doubtful);
  return known;
}

/** Those that nobody has submitted meanwhile. */
async function stillAnother(
  tx: Tx,
  { tenantId, environment, connectorId }: Target,
  another: ChangedDocuments['another'],
): Promise<string[]> {
  const refs = [...another.keys()];
  if (refs.length === 0) return [];
  const latest = await findLatest(tx, tenantId, environment, connectorId, refs);
  return refs.filter((ref) => latest.get(ref) === another.get(ref));
}

/** Nobody is to release what is not any more as it was checked. */
async function withdrawOutdated(
  { clock, random, metrics }: PipelineContext,
  tx: Tx,
  { tenantId, environment, connectorId }: Target,
  held: ChangedDocuments['held'],
): Promise<void> {
  if (held.size === 0) return;
  const invoices = await lockHeld(tx, tenantId, environment, connectorId, [...held.keys()]);
  const outdated = invoices.flatMap((invoice) => {
    const withdrawal = withdrawalOf(invoice.hold?.content, held.get(invoice.source_ref)!);
    return withdrawal === undefined ? [] : [{ invoice, ...withdrawal }];
  });
  await withdrawHeld(tx, tenantId, outdated, { now: clock(), random, metrics });
}

function withdrawalOf(
  checked: string | undefined,
  now: HeldDocument,
): Pick<Withdrawal, 'code' | 'message'> | undefined {
  const isAsChecked = now.content === checked;
  if (now.kind === 'wanted') {
    const message = 'The document changed in its source while it was held. It was submitted anew.';
    return isAsChecked ? undefined : { code: 'SOURCE-CHANGED', message };
  }
  return isAsChecked
    ? {
        code: 'WITHDRAWN',
        message: `It was held and is not sent, by what its connector or its mapping says now: ${now.reason}.`,
      }
    : { code: 'SOURCE-CHANGED', message: `It was held and is not sent: ${now.reason}.` };
}
