import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { appNotFound } from '../apps/routes.ts';
import { findApp } from '../apps/store.ts';
import { fail } from '../errors.ts';
import type { MessageRow } from '../messages/message-row.ts';
import type { QueueContext } from '../messages/sending/queue.ts';
import { applyStatusReports } from '../messages/status/changes.ts';
import { answerLost } from '../messages/status/store.ts';
import { findMessages, lockMessage } from '../messages/store.ts';
import { callProvider, type ProviderContext, refused } from './provider.ts';

type RevokeContext = QueueContext & ProviderContext;

/** Cancels a message at the network and returns it. Throws `too_late` when it has arrived. */
export async function revokeMessage(
  context: RevokeContext,
  scope: TenantScope,
  id: string,
): Promise<MessageRow> {
  const stands = await context.db.tenant(scope.tenantId, async (tx) => {
    const row = await lockMessage(tx, scope, id);
    if (row?.channel !== 'rcs' || row.direction !== 'out') {
      throw fail('message_not_found', `There is no message "${id}" on this channel.`);
    }
    const isUnsent = row.status === 'queued' && row.error_code !== answerLost;
    return isUnsent ? cancel(tx, context, scope, id) : row;
  });
  if (stands.status === 'canceled') return stands;
  if (stands.status === 'sending' || stands.status === 'unknown') {
    throw fail('too_late', 'It is on its way to the network: try again in a moment.');
  }
  if (stands.status !== 'sent' && stands.status !== 'queued') throw tooLate();
  const isGone = (await askProvider(context, scope, stands)) === 'gone';
  // One whose answer was lost may never have come to the network.
  if (isGone && stands.status === 'sent') throw tooLate();
  return context.db.tenant(scope.tenantId, (tx) => cancel(tx, context, scope, id));
}

/** The network confirms, unless a report that came in between says that the message has arrived. */
async function cancel(
  tx: Tx,
  context: RevokeContext,
  scope: TenantScope,
  id: string,
): Promise<MessageRow> {
  const now = context.clock();
  const update = { id, status: 'canceled', at: now, provider_id: null } as const;
  await applyStatusReports(
    tx,
    scope,
    [{ ...update, error_code: null, error_detail: null }],
    context,
    now,
  );
  const [row] = await findMessages(tx, scope, [id]);
  if (row!.status !== 'canceled') throw tooLate();
  return row!;
}

async function askProvider(
  context: RevokeContext,
  scope: TenantScope,
  row: MessageRow,
): Promise<'revoked' | 'gone'> {
  const app = await context.db.tenant(scope.tenantId, (tx) => findApp(tx, scope, row.app_id));
  if (app === undefined) throw appNotFound(row.app_id);
  const opened = context.appOpener.open(scope, app);
  const { revocation } = opened.channel;
  if (revocation === undefined)
    throw fail('provider_refused', 'The provider cannot cancel messages.');
  const message = { providerId: row.provider_id ?? row.id, phone: row.address };
  const response = await callProvider(context, scope, opened, (callContext) =>
    revocation.request(message, opened.app, callContext),
  );
  const outcome = revocation.read(response, context.clock());
  if (outcome.kind === 'revoked' || outcome.kind === 'gone') return outcome.kind;
  throw refused(outcome);
}

function tooLate() {
  return fail('too_late', 'The message has arrived or ended, and cannot be canceled.');
}
