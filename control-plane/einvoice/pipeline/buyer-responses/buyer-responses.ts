import { lookUp } from '@drawbridge/cim/look-up.ts';
import type { BusinessResponse, InboundAnswer } from '../../../authorities/contract.ts';
import type { Environment } from '../../../platform/auth/principal.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { BuyerResponse } from '../../invoices/store.ts';
import { startPolling } from '../../network-messages/polling.ts';
import { findSeen, markSeen } from '../../network-messages/store.ts';
import { lockInvoices } from '../store.ts';
import { peppolNetwork } from '../submission/outbound-documents.ts';
import { applyTransitions } from '../transitions.ts';
import type { PipelineContext } from '../work-item.ts';
import { findAnsweredInvoices, saveBuyerResponse } from './store.ts';

/** How often, over all nodes, an access point is asked for responses. */
const pollEveryMs = 30_000;
const noteLengthMax = 2_000;

/** UNCL4343, as Peppol's Invoice Response uses it. */
const meanings: Readonly<Record<string, BuyerResponse['status']>> = {
  AB: 'received',
  IP: 'in_process',
  UQ: 'under_query',
  CA: 'conditionally_accepted',
  RE: 'rejected',
  AP: 'accepted',
  PD: 'paid',
};
/** Codes by which the buyer accepts the invoice. */
const acknowledging: ReadonlySet<string> = new Set(['AP', 'CA', 'PD']);

/** Asks the network for the buyers' answers at intervals, one node at a time. */
export function startResponsePolling(
  context: PipelineContext,
  everyMs = pollEveryMs,
): { stop(): Promise<void> } {
  return startPolling(context, {
    what: 'buyers’ answers',
    everyMs,
    turns: { [peppolNetwork]: peppolNetwork },
    ask: (environment) => receiveResponses(context, environment),
  });
}

/**
 * Records the answers, oldest first. An accepted invoice is `acknowledged`; any other answer is
 * shown next to the state, because the buyer may still send another.
 */
export async function receiveResponses(
  context: PipelineContext,
  environment: Environment,
): Promise<void> {
  const { db, authorities } = context;
  const known = (ids: readonly string[]) =>
    db.system((tx) => findSeen(tx, environment, peppolNetwork, ids));
  const answers = (await authorities.responses(peppolNetwork, environment, known)) ?? [];
  for (const answer of answers) {
    if (!(await recordAnswer(context, environment, answer))) continue;
    await db.system((tx) => markSeen(tx, environment, peppolNetwork, { id: answer.id }));
  }
}

/** False while the invoice is not sent yet, so that its answer is looked at again later. */
async function recordAnswer(
  context: PipelineContext,
  environment: Environment,
  answer: InboundAnswer,
): Promise<boolean> {
  if (answer.kind === 'unreadable') {
    context.log.warn({ answer: answer.id }, 'an answer that came in does not read');
    return true;
  }
  const { number, from, to } = answer.response;
  const about = { number, seller: addressOf(to), buyer: addressOf(from) };
  const found = await context.db.system((tx) => findAnsweredInvoices(tx, environment, about));
  let isDone = true;
  for (const [tenantId, own] of Map.groupBy(found, (row) => row.tenant_id)) {
    const ids = own.map(({ id }) => id);
    const isTaken = await context.db.tenant(tenantId, (tx) =>
      record(context, tx, tenantId, ids, answer.response),
    );
    isDone &&= isTaken;
  }
  return isDone;
}

function addressOf({ scheme, id }: BusinessResponse['from']): string {
  return `${scheme}:${id}`;
}

async function record(
  context: PipelineContext,
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  { code, note, issuedAt }: BusinessResponse,
): Promise<boolean> {
  const now = context.clock();
  const invoices = await lockInvoices(tx, tenantId, ids);
  const answerable = invoices.filter(({ state }) => state !== 'validated' && state !== 'submitted');
  await saveBuyerResponse(
    tx,
    tenantId,
    answerable.map(({ id }) => id),
    {
      code,
      status: lookUp(meanings, code) ?? 'other',
      at: (issuedAt ?? now).toISOString(),
      ...(note === undefined ? {} : { note: note.slice(0, noteLengthMax) }),
    },
  );
  const open = answerable.filter(({ state }) => state === 'delivered' || state === 'cleared');
  const moves = (acknowledging.has(code) ? open : []).map((invoice) => {
    return { invoice, trigger: 'acknowledge' as const };
  });
  const { random, metrics } = context;
  await applyTransitions(tx, tenantId, moves, { now, random, metrics });
  return answerable.length === invoices.length;
}
