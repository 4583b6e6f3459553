import type { InboundDocument } from '../../authorities/contract.ts';
import { authorities } from '../../authorities/registry.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { Log } from '../../platform/log/log.ts';
import { startPolling } from '../network-messages/polling.ts';
import { findSeen, markSeen } from '../network-messages/store.ts';
import type { AuthorityGateway } from '../pipeline/submission/authority-gateway.ts';
import { type KeepingContext, keepDocument } from './keep-document.ts';
import { findParticipant, findParticipantTenant } from './participants-store.ts';

export interface NetworkContext extends KeepingContext {
  readonly authorities: Pick<AuthorityGateway, 'documents'>;
  readonly log: Log;
}

/** Asks each network for documents every so many milliseconds, one node at a time. */
export function startNetworkPolling(
  context: NetworkContext,
  everyMs: number,
): { stop(): Promise<void> } {
  const networks = authorities.filter((each) => each.documents !== undefined);
  return startPolling(context, {
    what: 'documents of networks',
    everyMs,
    turns: Object.fromEntries(networks.map(({ id }) => [id, `${id} documents`])),
    ask: (environment, network) => receiveDocuments(context, environment, network),
  });
}

/** Keeps the documents that a network has for participants here, oldest first. */
async function receiveDocuments(
  context: NetworkContext,
  environment: Environment,
  network: string,
): Promise<void> {
  const { db, authorities: gateway } = context;
  const known = (ids: readonly string[]) =>
    db.system((tx) => findSeen(tx, environment, network, ids));
  const documents = (await gateway.documents(network, environment, known)) ?? [];
  for (const document of documents) {
    const taken = await takeInbound(context, environment, network, document);
    if (taken.kind === 'busy') return;
    const unroutedTo = taken.kind === 'unrouted' ? { unroutedTo: taken.participant } : {};
    // Behind the commit that keeps it: when this is lost it comes again, and is known.
    const seen = { id: document.id, ...unroutedTo };
    await db.system((tx) => markSeen(tx, environment, network, seen));
  }
}

/** What became of a document of a network. */
export type Taken =
  | { readonly kind: 'kept' }
  | { readonly kind: 'unrouted'; readonly participant: string }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'busy' };

/** Keeps a document for the tenant whose participant it was sent to. */
export async function takeInbound(
  context: Omit<NetworkContext, 'authorities'>,
  environment: Environment,
  network: string,
  document: InboundDocument,
): Promise<Taken> {
  const { db, log } = context;
  if (document.kind === 'unreadable') {
    const { id, reason } = document;
    log.warn({ network, environment, message: id, reason }, 'a message that came in does not read');
    return { kind: 'unreadable', reason };
  }
  const { networkId, receiver, xml } = document;
  const participant = `${receiver.scheme}:${receiver.id}`.toLowerCase();
  const tenantId = await db.system((tx) => findParticipantTenant(tx, environment, participant));
  if (tenantId === undefined) {
    log.warn({ network, environment, participant }, 'a document came for a participant of nobody');
    return { kind: 'unrouted', participant };
  }
  const scope = { tenantId, environment };
  const row = await db.tenant(tenantId, (tx) => findParticipant(tx, scope, participant));
  const importTo = row?.import_to ? { importTo: row.import_to } : {};
  const kept = await keepDocument(context, scope, {
    source: network,
    networkId,
    participant,
    xml,
    ...importTo,
  });
  return kept.kind === 'busy' ? kept : { kind: 'kept' };
}
