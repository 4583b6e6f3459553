/**
 * Places calls within the rate limit of their provider. The intent is saved before the request is
 * sent: a job that finds an intent was interrupted, and the call may be ringing. Such a call is
 * `unknown`; call-backs and look-ups find its outcome, and it is never placed again.
 */
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { Batcher } from '../../../platform/concurrency/batcher.ts';
import type { Job } from '../../../platform/jobs/job.ts';
import {
  type ArrivalLimits,
  createArrivalLimits,
} from '../../../platform/limits/arrival-limits.ts';
import type { RateLimit } from '../../../platform/limits/rate-limits.ts';
import { optedOut } from '../../contacts/consents/store.ts';
import type { CallingContext } from '../context.ts';
import { type OpenProvider, openProvider } from '../providers/account.ts';
import {
  batchKeyOf,
  type CallJob,
  type CallSender,
  createCallSender,
  endJob,
  markUnknown,
} from './call-sender.ts';
import type { CallUpdate } from './call-updates.ts';
import { groupByScope, waitForAll } from './job-groups.ts';
import { type CallRow, findCalls, saveIntents } from './store.ts';

/** Places the calls of jobs, or postpones them; resolves when nothing is in flight. */
export type Placer = (jobs: readonly Job<CallJob>[], signal: AbortSignal) => Promise<void>;

/** How long a call waits in memory for its slot in the rate limit. */
const waitMs = 2_500;
/** A call that could not be placed within a day of its order comes too late. */
const orderedMsMax = 86_400_000;
/**
 * A call is postponed by at most this many windows, because the limit may be raised in the
 * meantime.
 */
const windowsMax = 5;
const batchMax = 200;

/** What all batches of a node share. `context`: database, clock and provider client. */
interface PlacerParts {
  readonly context: CallingContext;
  readonly turns: ArrivalLimits;
  readonly sender: CallSender;
  readonly intents: Batcher<CallToPlace, CallRow | undefined>;
  readonly delays: Batcher<PostponedCall, undefined>;
}

/** `stopwatch` returns milliseconds that never go backwards. */
export function createPlacer(context: CallingContext, stopwatch: () => number): Placer {
  const parts: PlacerParts = {
    context,
    turns: createArrivalLimits(context.db, stopwatch),
    sender: createCallSender(context),
    intents: new Batcher({ batchMax, write: (batch) => writeIntents(context, batch) }),
    delays: new Batcher({ batchMax, write: (batch) => postpone(context, batch) }),
  };
  return (jobs, signal) =>
    waitForAll(groupByScope(jobs).map(([scope, own]) => placeDue(parts, scope, own, signal)));
}

async function placeDue(
  parts: PlacerParts,
  scope: TenantScope,
  jobs: readonly Job<CallJob>[],
  signal: AbortSignal,
): Promise<void> {
  const { context } = parts;
  const ids = jobs.map(({ key }) => key);
  const { calls, unwanted } = await context.db.tenant(scope.tenantId, async (tx) => {
    const found = await findCalls(tx, scope, ids);
    const numbers = found.map(({ to_number }) => to_number);
    return { calls: found, unwanted: await optedOut(tx, scope, 'voice', numbers) };
  });
  const byId = new Map(calls.map((call) => [call.id, call]));
  const now = context.clock();
  const groups = Map.groupBy(jobs, ({ key }) => stateOf(byId.get(key), unwanted, now));
  const abandoned = groups.get('abandoned') ?? [];
  const providers = Map.groupBy(
    groups.get('waiting') ?? [],
    ({ key }) => byId.get(key)!.provider_id,
  );
  await waitForAll([
    finish(context, scope, groups.get('over') ?? []),
    ...(groups.get('unwanted') ?? []).map((job) => endJob(context, scope, job, optedOutSince)),
    ...(groups.get('late') ?? []).map((job) => endJob(context, scope, job, tooLate)),
    ...abandoned.map((job) => markUnknown(context, scope, job, 'the node died while placing it')),
    ...[...providers].map(([id, own]) => placeThrough(parts, scope, id, own, signal)),
  ]);
}

function stateOf(
  call: CallRow | undefined,
  unwanted: ReadonlySet<string>,
  now: Date,
): 'over' | 'waiting' | 'unwanted' | 'late' | 'abandoned' {
  if (call === undefined || call.intent === 'placed' || call.intent === 'refused') return 'over';
  if (call.intent !== 'waiting') return 'abandoned';
  if (unwanted.has(call.to_number)) return 'unwanted';
  return now.getTime() - call.created_at.getTime() > orderedMsMax ? 'late' : 'waiting';
}

/** A call may wait for hours behind the limit of its configuration. */
const optedOutSince: CallUpdate = {
  status: 'failed',
  intent: 'refused',
  error: { code: 'opted_out', detail: 'The person opted out of calls before it was placed.' },
};

const tooLate: CallUpdate = {
  status: 'failed',
  intent: 'refused',
  error: { code: 'too_late', detail: 'It could not be placed within a day.' },
};

async function placeThrough(
  parts: PlacerParts,
  scope: TenantScope,
  providerId: string,
  jobs: readonly Job<CallJob>[],
  signal: AbortSignal,
): Promise<void> {
  const open = await openProvider(parts.context, scope, providerId);
  if (open === undefined) throw new Error('a call names a configuration that does not exist');
  const { count, perMs } = open.provider.limits.calls;
  const limit = { max: Math.min(open.row.calls_per_second, count), windowMs: perMs };
  await waitForAll(jobs.map((job) => placeOne(parts, open, limit, job, signal)));
}

/** Waits for a slot in the provider's limit; a call that would wait too long is postponed. */
async function placeOne(
  { turns, sender, intents, delays }: PlacerParts,
  open: OpenProvider,
  limit: RateLimit,
  job: Job<CallJob>,
  signal: AbortSignal,
): Promise<void> {
  const { scope } = open;
  const key = `voice place ${open.row.id}`;
  const slot = await turns.reserve(key, limit, { waitMs, signal });
  if (slot === undefined) return delays.add(`${batchKeyOf(scope)} ${key}`, { scope, job, limit });
  let call: CallRow | undefined;
  try {
    call = await intents.add(batchKeyOf(scope), { scope, job });
  } finally {
    if (call === undefined) slot.release();
  }
  if (call !== undefined) await sender.send(open, slot, job, call);
}

interface CallToPlace {
  readonly scope: TenantScope;
  readonly job: Job;
}

/**
 * Saves the intents of one scope's calls in one transaction. The job of a call that no longer waits
 * (it was canceled, or the database's answer to its intent was lost) is run again.
 */
async function writeIntents(
  { db, jobs, clock }: CallingContext,
  batch: readonly CallToPlace[],
): Promise<readonly (CallRow | undefined)[]> {
  const { scope } = batch[0]!;
  const { tenantId } = scope;
  const ids = batch.map(({ job }) => job.key);
  return db.tenant(tenantId, async (tx) => {
    await jobs.renewLeases(
      tx,
      batch.map(({ job }) => job),
    );
    const calls = await saveIntents(tx, scope, ids, clock());
    const byId = new Map(calls.map((call) => [call.id, call]));
    const others = batch.flatMap(({ job }) => (byId.has(job.key) ? [] : [{ job, runAt: clock() }]));
    if (others.length > 0) await jobs.reschedule(tx, tenantId, others);
    return ids.map((id) => byId.get(id));
  });
}

interface PostponedCall extends CallToPlace {
  readonly limit: RateLimit;
}

/** Postpones calls of one configuration, each to the window in which its slot may come. */
async function postpone(
  { db, jobs, clock }: CallingContext,
  batch: readonly PostponedCall[],
): Promise<readonly undefined[]> {
  const { scope, limit } = batch[0]!;
  const now = clock().getTime();
  const items = batch.map(({ job }, at) => {
    const windows = Math.min(windowsMax, 1 + Math.floor(at / limit.max));
    return { job, runAt: new Date(now + windows * limit.windowMs) };
  });
  await db.tenant(scope.tenantId, (tx) => jobs.reschedule(tx, scope.tenantId, items));
  return [];
}

async function finish(
  { db, jobs }: CallingContext,
  { tenantId }: TenantScope,
  over: readonly Job[],
): Promise<void> {
  if (over.length > 0) await db.tenant(tenantId, (tx) => jobs.complete(tx, tenantId, over));
}
