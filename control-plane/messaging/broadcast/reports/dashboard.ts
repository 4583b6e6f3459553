import { counted, ratesOf, type Tally, tally } from '@drawbridge/messaging/broadcast/tally.ts';
import { scopeOf } from '../../../platform/auth/tenant-scope.ts';
import { route } from '../../../platform/http/route.ts';
import { invalid } from '../../errors.ts';
import type { BroadcastContext } from '../context.ts';
import { broadcastNotFound } from '../not-found.ts';
import { dashboardQuery, dashboardView } from '../schema.ts';
import { findBroadcast } from '../store.ts';
import { seriesOfBroadcast, seriesOfTenant } from './count-store.ts';

const dayMs = 86_400_000;
const spanDays = { hour: 31, day: 366 } as const;
const defaultDays = 30;

export function dashboardRoute({ db, clock }: BroadcastContext) {
  return route({
    method: 'get',
    path: '/broadcast/dashboard/',
    operationId: 'getBroadcastDashboard',
    summary: 'Rates of delivery, reading, clicks, replies and failures',
    description:
      'Of all broadcasts or of one, over at most 31 days by hour or 366 by day. What came in a ' +
      'span counts in it, whenever its message was sent.',
    tag: 'Broadcast',
    auth: { scope: 'broadcasts:read' },
    limit: 'read',
    request: { query: dashboardQuery },
    responses: { 200: { description: 'Counts, rates and series.', schema: dashboardView } },
    errors: ['broadcast_not_found'],
    handler: async ({ query: { broadcast, channel = null, interval, ...asked }, principal }) => {
      const scope = scopeOf(principal);
      const until = asked.until === undefined ? clock() : new Date(asked.until);
      const from =
        asked.from === undefined
          ? new Date(until.getTime() - defaultDays * dayMs)
          : new Date(asked.from);
      const spanMs = until.getTime() - from.getTime();
      if (spanMs <= 0) throw invalid('from', 'must be before `until`');
      const daysMax = spanDays[interval];
      if (spanMs > daysMax * dayMs) throw invalid('from', `is more than ${daysMax} days before`);
      const span = { channel, from, until, interval };
      const rows = await db.tenant(scope.tenantId, async (tx) => {
        if (broadcast === undefined) return seriesOfTenant(tx, scope, span);
        const row = await findBroadcast(tx, scope, broadcast);
        if (row === undefined) throw broadcastNotFound(broadcast);
        return seriesOfBroadcast(tx, scope, broadcast, span);
      });
      const counts = sumOf(rows);
      const series = rows.map(({ at, ...each }) => ({ at: at.toISOString(), ...each }));
      return {
        status: 200,
        body: {
          broadcast: broadcast ?? null,
          channel,
          interval,
          counts,
          series,
          from: from.toISOString(),
          until: until.toISOString(),
          rates: ratesOf(counts),
        },
      };
    },
  });
}

function sumOf(rows: readonly Tally[]): Tally {
  const total: Record<string, number> = { ...tally({}) };
  for (const row of rows) for (const name of counted) total[name]! += row[name];
  return total as Tally;
}
