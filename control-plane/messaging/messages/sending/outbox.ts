/** Sends single messages: one job for each, so that each is tried until its outcome is known. */
import type { Channel, Rate } from '../../../channels/contract.ts';
import type { Environment } from '../../../platform/auth/principal.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { Clock, RandomBytes } from '../../../platform/ids.ts';
import { newUuid } from '../../../platform/ids.ts';
import { byTenant, type Job } from '../../../platform/jobs/job.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { Worker } from '../../../platform/jobs/worker.ts';
import type { RateLimit, RateLimits } from '../../../platform/limits/rate-limits.ts';
import type { AppOpener } from '../../apps/app-opener.ts';
import { findApp } from '../../apps/store.ts';
import type { MessageRow } from '../message-row.ts';
import { applyStatusReports, type StatusContext } from '../status/changes.ts';
import type { StatusReport } from '../status/store.ts';
import { claimMessages, findBehindOthers, findMessages } from '../store.ts';
import { recoverInterrupted } from './crash-recovery.ts';
import { markWaiting } from './priority.ts';
import type { Sender } from './sender-contract.ts';
import { dueAfter, isExpired } from './time-to-live.ts';

export const outboxQueue = 'message';

export interface OutboxContext extends StatusContext {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly limits: RateLimits;
  readonly appOpener: AppOpener;
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
    queue: outboxQueue,
    batch,
    concurrency,
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
  scope: TenantScope,
  jobs: readonly OutboxJob[],
): Promise<void> {
  const { db, clock } = context;
  const ids = jobs.map(({ key }) => key);
  const rows = await db.tenant(scope.tenantId, (tx) => findMessages(tx, scope, ids));
  const abandoned = rows.filter(({ status }) => status === 'sending');
  if (abandoned.length > 0) await recover(context, scope, abandoned);
  const now = clock();
  const due = rows
    .filter(({ status, due_at }) => status === 'queued' && !(due_at! > now))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const behind = await findBehind(context, scope, due, now);
  const first = due.filter(({ id }) => !behind.has(id));
  const apps = Map.groupBy(first, ({ app_id }) => app_id);
  await Promise.all([...apps].map(([appId, own]) => sendOfApp(context, scope, appId, own, jobs)));
  await settleJobs(context, scope, jobs, behind);
}

/** The messages that wait for an earlier one to the same person, with when that is due. */
async function findBehind(
  { db }: OutboxContext,
  scope: TenantScope,
  due: readonly MessageRow[],
  now: Date,
): Promise<ReadonlyMap<string, Date>> {
  const ids = due.flatMap((row) => (isExpired(row, now) ? [] : row.id));
  if (ids.length === 0) return new Map();
  const rows = await db.tenant(scope.tenantId, (tx) =>
    findBehindOthers(tx, scope, ids, outboxQueue),
  );
  return new Map(rows.map(({ id, due_at }) => [id, due_at]));
}

/** Claimed messages come here only after their sender died. */
async function recover(
  context: OutboxContext,
  scope: TenantScope,
  rows: readonly MessageRow[],
): Promise<void> {
  await context.db.tenant(scope.tenantId, async (tx) => {
    for (const [appId, own] of Map.groupBy(rows, ({ app_id }) => app_id)) {
      const ids = own.map(({ id }) => id);
      await recoverInterrupted(tx, context, scope, appId, ids);
    }
  });
}

async function sendOfApp(
  context: OutboxContext,
  scope: TenantScope,
  appId: string,
  rows: readonly MessageRow[],
  jobs: readonly OutboxJob[],
): Promise<void> {
  const { db, appOpener, limits, sender, clock, random } = context;
  const app = await db.tenant(scope.tenantId, (tx) => findApp(tx, scope, appId));
  if (app === undefined) return failAll(context, scope, rows);
  const opened = appOpener.open(scope, app);
  const rates = opened.channel.limits(opened.app);
  const paired = await grantedPairs(limits, appId, rates.pair, rows);
  if (paired.length === 0) return;
  const grant = await limits.take(appKey(appId), limitOf(rates.app), paired.length);
  if (grant.granted < paired.length) await markWaiting(limits, appId);
  const granted = paired.slice(0, grant.granted);
  if (granted.length === 0) return;
  const claimId = newUuid(clock, random);
  const wanted = granted.map(({ id }) => id);
  const held = jobs.filter(({ key }) => wanted.includes(key));
  const claimed = await db.tenant(scope.tenantId, async (tx) => {
    await context.jobs.renewLeases(tx, held);
    return claimMessages(tx, scope, wanted, claimId);
  });
  if (claimed.length > 0) await sender.send(scope, appId, claimId, claimed);
}

async function failAll(
  context: OutboxContext,
  scope: TenantScope,
  rows: readonly MessageRow[],
): Promise<void> {
  const now = context.clock();
  const why = { error_code: 'app_not_found', error_detail: 'The app was removed.' };
  const learnt = rows.map(
    ({ id }): StatusReport => ({ id, at: now, status: 'failed', provider_id: null, ...why }),
  );
  await context.db.tenant(scope.tenantId, (tx) =>
    applyStatusReports(tx, scope, learnt, context, now),
  );
}

/** The messages whose recipient may get one more now; at most the first for each. */
async function grantedPairs(
  limits: RateLimits,
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

/** The key under which all senders count the messages of an app. */
export function appKey(appId: string): string {
  return `app ${appId}`;
}

const windowMsMax = 60_000;

/** A rate as a window; a burst is granted within the longest window. */
function limitOf({
  count,
  perMs,
  burst,
}: NonNullable<ReturnType<Channel['limits']>['pair']>): RateLimit {
  if (burst !== undefined) return { max: burst, windowMs: windowMsMax };
  return { max: count, windowMs: perMs };
}

const refusedMs = 250;

/**
 * Completes the jobs of messages that are sent or final; the others run again when they are due.
 */
async function settleJobs(
  { db, jobs, clock }: OutboxContext,
  scope: TenantScope,
  held: readonly OutboxJob[],
  behind: ReadonlyMap<string, Date>,
): Promise<void> {
  await db.tenant(scope.tenantId, async (tx) => {
    const rows = await findMessages(
      tx,
      scope,
      held.map(({ key }) => key),
    );
    const waiting = new Map(
      rows.filter(({ status }) => status === 'queued').map((row) => [row.id, row]),
    );
    const now = clock();
    const again = held.flatMap((job) => {
      const row = waiting.get(job.key);
      if (row === undefined) return [];
      const waitMs = ((behind.get(row.id) ?? row.due_at)?.getTime() ?? 0) - now.getTime();
      const dueMs = dueAfter(row, now, waitMs).getTime();
      return [{ job, runAt: new Date(Math.max(now.getTime() + refusedMs, dueMs)) }];
    });
    const done = held.filter(({ key }) => !waiting.has(key));
    if (done.length > 0) await jobs.complete(tx, scope.tenantId, done);
    if (again.length > 0) await jobs.reschedule(tx, scope.tenantId, again);
  });
}
