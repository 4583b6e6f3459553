/** Webhooks about numbers that no app has: kept when they come, replayed when there is an app. */
import type { ChannelEvent } from '../../../channels/contract.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { newId } from '../../../platform/ids.ts';
import type { IntakeContext } from './intake-context.ts';
import { countUnrouted, insertUnrouted, type NewUnrouted } from './unrouted-store.ts';
import type { AcceptedWebhook } from './webhook-verdict.ts';

/** The most that are kept for a tenant: beyond that the numbers are not meant for this service. */
const keptMax = 10_000;

export async function keepUnrouted(
  tx: Tx,
  { clock, random, log }: IntakeContext,
  scope: TenantScope,
  webhooks: readonly AcceptedWebhook[],
): Promise<void> {
  const now = clock();
  const rows = webhooks.flatMap(({ opened, unrouted, body }): NewUnrouted[] =>
    [...unrouted].map(([number, events]) => ({
      id: newId('unr', () => now, random),
      channel: opened.row.channel,
      provider: opened.row.provider,
      number: number.slice(0, numberMax),
      counts: countsOf(events),
      // The database's text can hold no NUL.
      body: Buffer.from(body).toString('utf8').replaceAll('\0', ''),
      received_at: now,
    })),
  );
  if (rows.length === 0) return;
  const room = keptMax - (await countUnrouted(tx, scope, keptMax));
  if (room < rows.length) {
    log.warn({ tenantId: scope.tenantId }, 'webhooks of unknown numbers were dropped: too many');
  }
  for (const row of rows.slice(0, Math.max(0, room))) await insertUnrouted(tx, scope, row);
}

const numberMax = 100;

function countsOf(events: readonly ChannelEvent[]): Readonly<Record<string, number>> {
  const kinds = Map.groupBy(events, ({ kind }) => kind);
  return Object.fromEntries([...kinds].map(([kind, own]) => [kind, own.length]));
}
