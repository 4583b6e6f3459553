import { alwaysOpen } from '@drawbridge/messaging/inbox/business-hours.ts';
import { dayAt, daysOf } from '@drawbridge/messaging/inbox/time-zone.ts';
import { scopeOf, type TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { firstIdAt } from '../../../platform/ids.ts';
import { invalid } from '../../errors.ts';
import { type InboxContext, tag } from '../context.ts';
import { daysQuery, daysView, statsDaysMax, statsQuery, statsView } from '../schema.ts';
import { findSettings } from '../settings/store.ts';
import {
  type AgentRow,
  countConversations,
  countDays,
  countPromises,
  type Period,
  resolutionTimes,
  responsesByAgent,
  responseTimes,
} from './store.ts';
import { countMessages, sumVolume, type VolumeSum } from './volume-store.ts';

const defaultDays = 30;
const dayMs = 86_400_000;
const quarterMs = 900_000;

export function statsRoutes(context: InboxContext): AnyRoute[] {
  return [statsRoute(context), daysRoute(context)];
}

function statsRoute({ db, clock }: InboxContext) {
  return route({
    method: 'get',
    path: '/team-inbox/api/stats/',
    operationId: 'getInboxStats',
    summary: 'How fast and how much the team answers',
    description:
      'Every wait is an interval of its own, counted when it was answered: reopening begins a new ' +
      'one, reassigning does not, and the answer is of whoever gave it.',
    tag,
    auth: { scope: 'inbox:read' },
    limit: 'read',
    request: { query: statsQuery },
    responses: { 200: { description: 'The figures of the period.', schema: statsView } },
    handler: async ({ query, principal }) => {
      const scope = scopeOf(principal);
      const now = clock();
      const until = query.until === undefined ? now : new Date(query.until);
      const since =
        query.since === undefined
          ? new Date(until.getTime() - defaultDays * dayMs)
          : new Date(query.since);
      if (since >= until) throw invalid('since', 'must come before until');
      const body = await db.tenant(scope.tenantId, (tx) =>
        readStats(tx, scope, { since, until }, now),
      );
      return { status: 200, body };
    },
  });
}

function daysRoute({ db, clock }: InboxContext) {
  return route({
    method: 'get',
    path: '/team-inbox/api/stats/days/',
    operationId: 'getInboxDays',
    summary: 'Count messages and conversations day by day',
    description: `At most ${statsDaysMax} days; a day that is not over is counted as far as it goes.`,
    tag,
    auth: { scope: 'inbox:read' },
    limit: 'read',
    request: { query: daysQuery },
    responses: { 200: { description: 'The days.', schema: daysView } },
    handler: async ({ query, principal }) => {
      const scope = scopeOf(principal);
      const body = await db.tenant(scope.tenantId, async (tx) => {
        const settings = await findSettings(tx, scope);
        const time_zone = settings?.time_zone ?? alwaysOpen.timeZone;
        const last = query.last_day ?? dayAt(time_zone, clock());
        const first = query.first_day ?? dayBefore(last, defaultDays - 1);
        if (first > last) throw invalid('first_day', 'must not come after last_day');
        if (first < dayBefore(last, statsDaysMax - 1)) {
          throw invalid('first_day', `must be at most ${statsDaysMax - 1} days before last_day`);
        }
        const rows = await countDays(tx, scope, daysOf(time_zone, first, last));
        const results = rows.map((row) => ({ ...row, begins: row.begins.toISOString() }));
        return { time_zone, results };
      });
      return { status: 200, body };
    },
  });
}

function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * dayMs).toISOString().slice(0, 10);
}

/** All figures for a period. */
export async function readStats(tx: Tx, scope: TenantScope, period: Period, now: Date) {
  const times = await responseTimes(tx, scope, period);
  const { unanswered, ...conversations } = await countConversations(tx, scope, period);
  const volume = await volumeOf(tx, scope, period);
  return {
    since: period.since.toISOString(),
    until: period.until.toISOString(),
    first_response: { business: times.first_business, elapsed: times.first_elapsed },
    response: { business: times.business, elapsed: times.elapsed },
    resolution: await resolutionTimes(tx, scope, period),
    conversations,
    unanswered,
    sla: await countPromises(tx, scope, period, now),
    by_channel: byChannel(volume),
    by_agent: byAgent(volume, await responsesByAgent(tx, scope, period)),
  };
}

/** Whole quarters of an hour are summed; the rest at both ends is counted message by message. */
async function volumeOf(
  tx: Tx,
  scope: TenantScope,
  { since, until }: Period,
): Promise<VolumeSum[]> {
  const count = (from: Date, to: Date) =>
    countMessages(tx, scope, firstIdAt('msg', from), firstIdAt('msg', to));
  const first = new Date(Math.ceil(since.getTime() / quarterMs) * quarterMs);
  const last = new Date(Math.floor(until.getTime() / quarterMs) * quarterMs);
  if (first >= last) return count(since, until);
  return [
    ...(await count(since, first)),
    ...(await sumVolume(tx, scope, first, last)),
    ...(await count(last, until)),
  ];
}

function byChannel(volume: readonly VolumeSum[]) {
  const sum = (rows: readonly VolumeSum[], direction: string) =>
    rows.reduce((total, row) => total + (row.direction === direction ? row.count : 0), 0);
  const groups = Map.groupBy(volume, ({ channel }) => channel);
  return [...groups]
    .map(([channel, rows]) => {
      return { channel, inbound: sum(rows, 'in'), outbound: sum(rows, 'out') };
    })
    .sort((a, b) => alphabetically(a.channel, b.channel));
}

function byAgent(volume: readonly VolumeSum[], answers: readonly AgentRow[]) {
  const written = volume.filter(({ direction, author }) => direction === 'out' && author !== '');
  const ids = new Set([
    ...written.map(({ author }) => author),
    ...answers.map((row) => row.agent_id),
  ]);
  return [...ids].sort(alphabetically).map((agent_id) => {
    const own = written.filter(({ author }) => author === agent_id);
    const {
      responses = 0,
      median_seconds = null,
      breached = 0,
    } = answers.find((row) => row.agent_id === agent_id) ?? {};
    const messages = own.reduce((sum, { count }) => sum + count, 0);
    return { agent_id, messages, responses, median_seconds, breached };
  });
}

function alphabetically(a: string, b: string): number {
  return a < b ? -1 : 1;
}
