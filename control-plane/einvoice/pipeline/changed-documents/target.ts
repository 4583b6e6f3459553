import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import type { Environment } from '../../../platform/auth/principal.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { readLifeTimes } from '../../../platform/retention/store.ts';
import { type ConnectorRow, findConnectors, findMappings } from '../../connectors/store.ts';
import { createInvoices, newInvoice } from '../../invoices/new-invoices.ts';
import { lockSubmissions } from '../../invoices/store.ts';
import type { PipelineContext } from '../work-item.ts';
import { firstDay } from './judge.ts';
import { findSubmitted } from './store.ts';

/** The connector, in one environment, for which changed documents are submitted. */
export interface Target {
  readonly tenantId: string;
  readonly environment: Environment;
  readonly connectorId: string;
}

/** What decides which of its documents are submitted. */
interface TargetState {
  readonly connector: ConnectorRow | undefined;
  readonly mapping: Mapping | undefined;
  /** Those of the documents that need no submission. */
  readonly known: ReadonlyMap<string, 'validating' | 'sent'>;
  /** Undefined: nothing is submitted. */
  readonly from: string | undefined;
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
    return {
      connector,
      mapping: mappings.find(({ profile }) => profile === connector?.default_profile)?.document,
      known: await findSubmitted(tx, tenantId, environment, connectorId, refs),
      from: firstDay(connector?.submit_from[environment], lifeDays, clock()),
    };
  });
}

/** Makes invoices of the wanted documents that have none yet; returns which of `refs` had one. */
export async function submitNew(
  context: PipelineContext,
  tx: Tx,
  { tenantId, environment, connectorId }: Target,
  connector: ConnectorRow | undefined,
  { refs, wanted }: { readonly refs: readonly string[]; readonly wanted: readonly string[] },
): Promise<TargetState['known']> {
  const ids = { now: context.clock(), random: context.random };
  // Two workers may hold the same document, reported twice, and a client may submit it meanwhile: one
  // makes the invoice, the others see it.
  await lockSubmissions(tx, [connectorId]);
  const known = await findSubmitted(tx, tenantId, environment, connectorId, refs);
  const fresh = new Set(wanted.filter((ref) => !known.has(ref)));
  const profile = connector?.default_profile;
  const invoices = [...fresh].flatMap((sourceRef) =>
    profile ? [newInvoice({ tenantId, environment, connectorId, profile, sourceRef }, ids)] : [],
  );
  await createInvoices(tx, context, tenantId, invoices, ids);
  return known;
}
