/** Webhooks about numbers that no app has: kept when they come, replayed when there is an app. */
import type { ChannelEvent } from '../../../channels/contract.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { newId } from '../../../platform/ids.ts';
import type { IntakeContext } from './intake-context.ts';
import { insertUnrouted, type NewUnrouted, sizeOfUnrouted } from './unrouted-store.ts';
import type { AcceptedWebhook } from './webhook-verdict.ts';

/** The most that are kept for a tenant: beyond that the numbers are not meant for this service. */
const keptMax = { count: 10_000, bytes: 268_435_456 } as const;
/** Of one webhook, which is kept once for each number that it names: networks name one or two. */
const numbersMax = 20;

export async function keepUnrouted(
  tx: Tx,
  { clock, random, log }: IntakeContext,
  scope: TenantScope,
  webhooks: readonly AcceptedWebhook[],
): Promise<void> {
  const now = clock();
  const rows = webhooks.flatMap(({ opened, unrouted, body }): NewUnrouted[] => {
    if (unrouted.size === 0) return [];
    // The database's text can hold no NUL.
    const text = Buffer.from(body).toString('utf8').replaceAll('\0', '');
    return [...unrouted].slice(0, numbersMax).map(([number, events]) => ({
      id: newId('unr', () => now, random),
      channel: opened.row.channel,
      provider: opened.row.provider,
      number: number.slice(0, numberMax),
      counts: countsOf(events),
      body: text,
      received_at: now,
    }));
  });
  const named = webhooks.reduce((sum, { unrouted }) => sum + unrouted.size, 0);
  if (named === 0) return;
  const known = await sizeOfUnrouted(tx, scope, keptMax.count);
  let { count, bytes } = known;
  for (const row of rows) {
    if (count >= keptMax.count || bytes >= keptMax.bytes) break;
    await insertUnrouted(tx, scope, row);
    count += 1;
    bytes += row.body.length;
  }
  if (count - known.count < named) {
    log.warn({ tenantId: scope.tenantId }, 'webhooks of unknown numbers were dropped: too many');
  }
}

const numberMax = 100;

function countsOf(events: readonly ChannelEvent[]): Readonly<Record<string, number>> {
  const kinds = Map.groupBy(events, ({ kind }) => kind);
  return Object.fromEntries([...kinds].map(([kind, own]) => [kind, own.length]));
}
