/**
 * Asks providers for calls, many together. The intent is written before the question goes out: a job
 * that finds it there was cut off halfway, and the call may be ringing. Such a call is `unknown`;
 * what becomes of it is told by call-backs or looked up, and it is never asked for again.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from '../../../platform/auth/principal.ts';
import type { Job } from '../../../platform/jobs/job.ts';
import type { Limit } from '../../../platform/limits/limits.ts';
import type { Place } from '../../contacts/store.ts';
import type { VoiceDesk } from '../desk.ts';
import { type OpenProvider, openProvider } from '../providers/account.ts';
import { type Asker, createAsker, leaveUnknown } from './ask.ts';
import { allOf, byPlace } from './lots.ts';
import { type CallRow, findCalls, intendCalls } from './store.ts';

export interface CallJob {
  readonly environment: Environment;
}

/** Places the calls of jobs, or puts them off; ends when nothing of it is under way. */
export type Placer = (jobs: readonly Job<CallJob>[], signal: AbortSignal) => Promise<void>;

/** Grants that fall due within this are waited for here: to come again costs some of them. */
const patienceMs = 2_500;
/** A call is put off for so many windows at most: the limit may be raised meanwhile. */
const windowsMax = 5;
/** Batches of one provider that wait here: one goes out, the next is there when it has gone. */
const waitersMax = 2;

/** What all batches of a node share. */
interface Context {
  readonly desk: VoiceDesk;
  readonly asker: Asker;
  /** Batches that wait for grants, by provider. */
  readonly waiters: Map<string, number>;
}

/** `stopwatch` answers milliseconds that never go back. */
export function createPlacer(desk: VoiceDesk, stopwatch: () => number): Placer {
  const context = { desk, asker: createAsker(desk, stopwatch), waiters: new Map() };
  return (jobs, signal) =>
    allOf(byPlace(jobs).map(([place, own]) => placeDue(context, place, own, signal)));
}

async function placeDue(
  context: Context,
  place: Place,
  jobs: readonly Job[],
  signal: AbortSignal,
): Promise<void> {
  const { desk } = context;
  const ids = jobs.map(({ key }) => key);
  const calls = await desk.db.tenant(place.tenantId, (tx) => findCalls(tx, place, ids));
  const byId = new Map(calls.map((call) => [call.id, call]));
  const lots = Map.groupBy(jobs, ({ key }) => stepOf(byId.get(key)));
  const abandoned = lots.get('abandoned') ?? [];
  const providers = Map.groupBy(lots.get('waiting') ?? [], ({ key }) => byId.get(key)!.provider_id);
  await allOf([
    finish(desk, place, lots.get('over') ?? []),
    ...abandoned.map((job) => leaveUnknown(desk, place, job, 'a node went down')),
    ...[...providers].map(([id, own]) => placeThrough(context, place, id, own, signal)),
  ]);
}

function stepOf(call: CallRow | undefined): 'over' | 'waiting' | 'abandoned' {
  if (call === undefined || call.intent === 'placed' || call.intent === 'refused') return 'over';
  return call.intent === 'waiting' ? 'waiting' : 'abandoned';
}

/** As the provider's limit lets them; what would wait too long comes again. */
async function placeThrough(
  context: Context,
  place: Place,
  providerId: string,
  jobs: readonly Job[],
  signal: AbortSignal,
): Promise<void> {
  const { desk, waiters } = context;
  const open = await openProvider(desk, place, providerId);
  if (open === undefined) throw new Error('a call names a configuration that is not there');
  const { count, perMs } = open.provider.limits.calls;
  const limit = { max: Math.min(open.row.calls_per_second, count), windowMs: perMs };
  const patience = (waiters.get(providerId) ?? 0) < waitersMax ? patienceMs : 0;
  const begun: Promise<void>[] = [];
  const failures: unknown[] = [];
  const begin = (work: Promise<void>) => {
    begun.push(work.catch((error: unknown) => void failures.push(error)));
  };
  tally(waiters, providerId, 1);
  try {
    const left = await grantEach(desk, `voice place ${providerId}`, limit, jobs, {
      isOver: (waitedMs) => waitedMs > patience || signal.aborted,
      begin: (granted) => begin(askFor(context, open, limit, granted)),
    });
    if (left.length > 0) begin(putOff(desk, place, left, limit));
  } finally {
    tally(waiters, providerId, -1);
    // Also after an error: what is under way must not outlive the jobs that allow it.
    await Promise.all(begun);
  }
  if (failures.length > 0) throw failures[0];
}

function tally(waiters: Map<string, number>, providerId: string, by: 1 | -1): void {
  const now = (waiters.get(providerId) ?? 0) + by;
  if (now === 0) waiters.delete(providerId);
  else waiters.set(providerId, now);
}

/** Begins jobs as they are granted; answers those that it was no longer worth waiting for. */
async function grantEach(
  { limits }: VoiceDesk,
  key: string,
  limit: Limit,
  jobs: readonly Job[],
  to: {
    isOver(waitedMs: number): boolean;
    begin(granted: readonly Job[]): void;
  },
): Promise<readonly Job[]> {
  let left = jobs;
  for (let waitedMs = 0; ; ) {
    const { granted, retryAfterMs } = await limits.take(key, limit, left.length);
    if (granted > 0) to.begin(left.slice(0, granted));
    left = left.slice(granted);
    waitedMs += retryAfterMs;
    if (left.length === 0 || to.isOver(waitedMs)) return left;
    await delay(retryAfterMs);
  }
}

/** Writes the intents in one transaction, then asks for each call. */
async function askFor(
  { desk, asker }: Context,
  open: OpenProvider,
  limit: Limit,
  jobs: readonly Job[],
): Promise<void> {
  const { place } = open;
  const calls = await desk.db.tenant(place.tenantId, async (tx) => {
    await desk.jobs.hold(tx, jobs);
    const ids = jobs.map(({ key }) => key);
    return intendCalls(tx, place, ids, desk.clock());
  });
  const byId = new Map(calls.map((call) => [call.id, call]));
  const takenBack = jobs.filter(({ key }) => !byId.has(key));
  const asked = jobs.filter(({ key }) => byId.has(key));
  await allOf([
    finish(desk, place, takenBack),
    ...asked.map((job) => asker.ask(open, limit, job, byId.get(job.key)!)),
  ]);
}

/** Each for when its turn may come, so that what waits is not looked at all the time. */
async function putOff(
  { db, jobs, clock }: VoiceDesk,
  { tenantId }: Place,
  waiting: readonly Job[],
  { max, windowMs }: Limit,
): Promise<void> {
  const now = clock().getTime();
  const items = waiting.map((job, at) => {
    const windows = Math.min(windowsMax, 1 + Math.floor(at / max));
    return { job, runAt: new Date(now + windows * windowMs) };
  });
  await db.tenant(tenantId, (tx) => jobs.reschedule(tx, tenantId, items));
}

async function finish(
  { db, jobs }: VoiceDesk,
  { tenantId }: Place,
  over: readonly Job[],
): Promise<void> {
  if (over.length > 0) await db.tenant(tenantId, (tx) => jobs.complete(tx, tenantId, over));
}
