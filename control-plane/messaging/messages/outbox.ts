/** Sends single messages: one job a message, so that each is tried until something is known of it. */
import type { Channel, Rate } from '../../channels/contract.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import { newUuid } from '../../platform/ids.ts';
import { byTenant, type Job } from '../../platform/jobs/job.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Worker } from '../../platform/jobs/worker.ts';
import type { Limit, Limits } from '../../platform/limits/limits.ts';
import type { AppDesk } from '../apps/desk.ts';
import { findApp } from '../apps/store.ts';
import type { Place } from '../contacts/store.ts';
import { recoverAbandoned } from './abandoned.ts';
import type { MessageRow } from './message-row.ts';
import type { Learnt } from './move-store.ts';
import { applyLearnt, type MovesContext } from './moves.ts';
import type { Sender } from './sender-contract.ts';
import { claimMessages, findMessages } from './store.ts';
import { noteWaiting } from './waiting.ts';

export const outboxQueue = 'message';

export interface OutboxContext extends MovesContext {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly limits: Limits;
  readonly desk: AppDesk;
  readonly sender: Sender;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

type Payload = { readonly environment: Environment };
type OutboxJob = Job<Payload>;

const batch = 100;
const concurrency = 8;

export function startOutbox(context: OutboxContext): Worker {
  return context.jobs.work<Payload>({
    ...{ queue: outboxQueue, batch, concurrency },
    handler: async (claimed) => {
      for (const [tenantId, own] of byTenant(claimed)) {
        const environments = Map.groupBy(own, ({ payload }) => payload.environment);
        for (const [environment, jobs] of environments) {
          await sendDue(context, { tenantId, environment }, jobs);
        }
      }
    },
  });
}

async function sendDue(
  context: OutboxContext,
  place: Place,
  jobs: readonly OutboxJob[],
): Promise<void> {
  const { db, clock } = context;
  const ids = jobs.map(({ key }) => key);
  const rows = await db.tenant(place.tenantId, (tx) => findMessages(tx, place, ids));
  const abandoned = rows.filter(({ status }) => status === 'sending');
  if (abandoned.length > 0) await recover(context, place, abandoned);
  const now = clock();
  const due = rows.filter(({ status, due_at }) => status === 'queued' && !(due_at! > now));
  const apps = Map.groupBy(due, ({ app_id }) => app_id);
  await Promise.all([...apps].map(([appId, own]) => sendOfApp(context, place, appId, own, jobs)));
  await settleJobs(context, place, jobs);
}

/** Their sender died, or they would not be ours. */
async function recover(
  context: OutboxContext,
  place: Place,
  rows: readonly MessageRow[],
): Promise<void> {
  await context.db.tenant(place.tenantId, async (tx) => {
    for (const [appId, own] of Map.groupBy(rows, ({ app_id }) => app_id)) {
      const ids = own.map(({ id }) => id);
      await recoverAbandoned(tx, context, place, appId, ids);
    }
  });
}

async function sendOfApp(
  context: OutboxContext,
  place: Place,
  appId: string,
  rows: readonly MessageRow[],
  jobs: readonly OutboxJob[],
): Promise<void> {
  const { db, desk, limits, sender, clock, random } = context;
  const app = await db.tenant(place.tenantId, (tx) => findApp(tx, place, appId));
  if (app === undefined) return failAll(context, place, rows);
  const opened = desk.open(place, app);
  const rates = opened.channel.limits(opened.app);
  const paired = await grantedPairs(limits, appId, rates.pair, rows);
  if (paired.length === 0) return;
  const grant = await limits.take(appKey(appId), limitOf(rates.app), paired.length);
  if (grant.granted < paired.length) await noteWaiting(limits, appId);
  const granted = paired.slice(0, grant.granted);
  if (granted.length === 0) return;
  const claimId = newUuid(clock, random);
  const wanted = granted.map(({ id }) => id);
  const held = jobs.filter(({ key }) => wanted.includes(key));
  const claimed = await db.tenant(place.tenantId, async (tx) => {
    await context.jobs.hold(tx, held);
    return claimMessages(tx, place, wanted, claimId);
  });
  if (claimed.length > 0) await sender.send(place, appId, claimId, claimed);
}

async function failAll(
  context: OutboxContext,
  place: Place,
  rows: readonly MessageRow[],
): Promise<void> {
  const now = context.clock();
  const why = { error_code: 'app_not_found', error_detail: 'The app was removed.' };
  const learnt = rows.map(
    ({ id }): Learnt => ({ id, at: now, status: 'failed', provider_id: null, ...why }),
  );
  await context.db.tenant(place.tenantId, (tx) => applyLearnt(tx, place, learnt, context, now));
}

/** Those whose person may get one more now; the first of each at most. */
async function grantedPairs(
  limits: Limits,
  appId: string,
  pair: Rate | undefined,
  rows: readonly MessageRow[],
): Promise<readonly MessageRow[]> {
  if (pair === undefined) return rows;
  const firsts = [...Map.groupBy(rows, ({ address }) => address).values()].map(([row]) => row!);
  const verdicts = await Promise.all(
    firsts.map(({ address }) => limits.count(`pair ${appId} ${address}`, limitOf(pair))),
  );
  return firsts.filter((_, at) => verdicts[at]!.isGranted);
}

/** The key under which all senders count an app's messages. */
export function appKey(appId: string): string {
  return `app ${appId}`;
}

const windowMsMax = 60_000;

/** A rate as a window; what may be borrowed from later is granted within the longest one. */
export function limitOf({
  count,
  perMs,
  burst,
}: NonNullable<ReturnType<Channel['limits']>['pair']>): Limit {
  if (burst !== undefined) return { max: burst, windowMs: windowMsMax };
  return { max: count, windowMs: perMs };
}

const refusedMs = 250;

/** Ends the jobs of what is sent or over; the others come again when they are due. */
async function settleJobs(
  { db, jobs, clock }: OutboxContext,
  place: Place,
  held: readonly OutboxJob[],
): Promise<void> {
  await db.tenant(place.tenantId, async (tx) => {
    const rows = await findMessages(
      tx,
      place,
      held.map(({ key }) => key),
    );
    const waiting = new Map(
      rows.filter(({ status }) => status === 'queued').map((row) => [row.id, row]),
    );
    const now = clock().getTime();
    const again = held.flatMap((job) => {
      const row = waiting.get(job.key);
      if (row === undefined) return [];
      const dueMs = Math.max(now + refusedMs, row.due_at?.getTime() ?? now);
      return [{ job, runAt: new Date(dueMs) }];
    });
    const done = held.filter(({ key }) => !waiting.has(key));
    if (done.length > 0) await jobs.complete(tx, place.tenantId, done);
    if (again.length > 0) await jobs.reschedule(tx, place.tenantId, again);
  });
}
