import type { Tx } from '../../platform/db/tx.ts';
import { appNotFound } from '../apps/routes.ts';
import { findApp } from '../apps/store.ts';
import type { Place } from '../contacts/store.ts';
import { fail } from '../errors.ts';
import type { MessageRow } from '../messages/message-row.ts';
import { applyLearnt } from '../messages/moves.ts';
import type { QueueEdge } from '../messages/queue.ts';
import { findMessages, lockMessage } from '../messages/store.ts';
import { ask, type CallEdge, refused } from './provider.ts';

type Edge = QueueEdge & CallEdge;

/** Takes a message back; answers it as it stands then. Throws `too_late` when it has arrived. */
export async function revokeMessage(edge: Edge, place: Place, id: string): Promise<MessageRow> {
  const stands = await edge.db.tenant(place.tenantId, async (tx) => {
    const row = await lockMessage(tx, place, id);
    if (row?.channel !== 'rcs' || row.direction !== 'out') {
      throw fail('message_not_found', `There is no message "${id}" on this channel.`);
    }
    return row.status === 'queued' ? cancel(tx, edge, place, id) : row;
  });
  if (stands.status === 'canceled') return stands;
  if (stands.status === 'sending' || stands.status === 'unknown') {
    throw fail('too_late', 'It is on its way to the network: try again in a moment.');
  }
  if (stands.status !== 'sent') throw tooLate();
  await askProvider(edge, place, stands);
  return edge.db.tenant(place.tenantId, (tx) => cancel(tx, edge, place, id));
}

/** The network confirms it, or a report that came in between says that it has arrived. */
async function cancel(tx: Tx, edge: Edge, place: Place, id: string): Promise<MessageRow> {
  const now = edge.clock();
  const news = { id, status: 'canceled', at: now, provider_id: null } as const;
  await applyLearnt(tx, place, [{ ...news, error_code: null, error_detail: null }], edge, now);
  const [row] = await findMessages(tx, place, [id]);
  if (row!.status !== 'canceled') throw tooLate();
  return row!;
}

async function askProvider(edge: Edge, place: Place, row: MessageRow): Promise<void> {
  const app = await edge.db.tenant(place.tenantId, (tx) => findApp(tx, place, row.app_id));
  if (app === undefined) throw appNotFound(row.app_id);
  const opened = edge.desk.open(place, app);
  const { revocation } = opened.channel;
  if (revocation === undefined) throw fail('provider_refused', 'The provider takes nothing back.');
  const message = { providerId: row.provider_id ?? row.id, phone: row.address };
  const response = await ask(edge, place, opened, (context) =>
    revocation.request(message, opened.app, context),
  );
  const outcome = revocation.read(response, edge.clock());
  if (outcome.kind === 'gone') throw tooLate();
  if (outcome.kind !== 'revoked') throw refused(outcome);
}

function tooLate() {
  return fail('too_late', 'The message has arrived, or is over: it cannot be taken back.');
}
