/**
 * Asks providers for calls, each when it is its turn. The intent is written before the question goes
 * out: a job that finds it there was cut off halfway, and the call may be ringing. Such a call is
 * `unknown`; what becomes of it is told by call-backs or looked up, and it is never asked for again.
 */
import type { Environment } from '../../../platform/auth/principal.ts';
import type { Job } from '../../../platform/jobs/job.ts';
import type { Limit } from '../../../platform/limits/limits.ts';
import { createTurns, type Turns } from '../../../platform/limits/turns.ts';
import type { Place } from '../../contacts/store.ts';
import { Gathered } from '../../gathered.ts';
import type { VoiceDesk } from '../desk.ts';
import { type OpenProvider, openProvider } from '../providers/account.ts';
import { type Asker, createAsker, keyOf, leaveUnknown } from './ask.ts';
import { allOf, byPlace } from './lots.ts';
import { type CallRow, findCalls, intendCalls } from './store.ts';

export interface CallJob {
  readonly environment: Environment;
}

/** Places the calls of jobs, or puts them off; ends when nothing of it is under way. */
export type Placer = (jobs: readonly Job<CallJob>[], signal: AbortSignal) => Promise<void>;

/** So long a call waits here for its turn. */
const waitMs = 2_500;
/** A call is put off for so many windows at most: the limit may be raised meanwhile. */
const windowsMax = 5;
const lotMax = 200;

/** What all batches of a node share. */
interface Context {
  readonly desk: VoiceDesk;
  readonly turns: Turns;
  readonly asker: Asker;
  readonly intents: Gathered<Intended, CallRow | undefined>;
  readonly delays: Gathered<PutOff, undefined>;
}

/** `stopwatch` answers milliseconds that never go back. */
export function createPlacer(desk: VoiceDesk, stopwatch: () => number): Placer {
  const context: Context = {
    desk,
    turns: createTurns(desk.db, stopwatch),
    asker: createAsker(desk),
    intents: new Gathered((lot) => intend(desk, lot), lotMax),
    delays: new Gathered((lot) => putOff(desk, lot), lotMax),
  };
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

async function placeThrough(
  context: Context,
  place: Place,
  providerId: string,
  jobs: readonly Job[],
  signal: AbortSignal,
): Promise<void> {
  const open = await openProvider(context.desk, place, providerId);
  if (open === undefined) throw new Error('a call names a configuration that is not there');
  const { count, perMs } = open.provider.limits.calls;
  const limit = { max: Math.min(open.row.calls_per_second, count), windowMs: perMs };
  await allOf(jobs.map((job) => placeOne(context, open, limit, job, signal)));
}

/** As the provider's limit lets it; what would wait too long comes again. */
async function placeOne(
  { turns, asker, intents, delays }: Context,
  open: OpenProvider,
  limit: Limit,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const { place } = open;
  const key = `voice place ${open.row.id}`;
  const turn = await turns.next(key, limit, { waitMs, signal });
  if (turn === undefined) return delays.put(`${keyOf(place)} ${key}`, { place, job, limit });
  let call: CallRow | undefined;
  try {
    call = await intents.put(keyOf(place), { place, job });
  } finally {
    if (call === undefined) turn.pass();
  }
  if (call !== undefined) await asker.ask(open, turn, job, call);
}

interface Intended {
  readonly place: Place;
  readonly job: Job;
}

/**
 * Of one place: writes the intents in one transaction. A call that waits no longer (it was taken
 * back, or the database's answer to its intent was lost) is looked at again.
 */
async function intend(
  { db, jobs, clock }: VoiceDesk,
  lot: readonly Intended[],
): Promise<readonly (CallRow | undefined)[]> {
  const { place } = lot[0]!;
  const { tenantId } = place;
  const ids = lot.map(({ job }) => job.key);
  return db.tenant(tenantId, async (tx) => {
    await jobs.hold(
      tx,
      lot.map(({ job }) => job),
    );
    const calls = await intendCalls(tx, place, ids, clock());
    const byId = new Map(calls.map((call) => [call.id, call]));
    const others = lot.flatMap(({ job }) => (byId.has(job.key) ? [] : [{ job, runAt: clock() }]));
    if (others.length > 0) await jobs.reschedule(tx, tenantId, others);
    return ids.map((id) => byId.get(id));
  });
}

interface PutOff extends Intended {
  readonly limit: Limit;
}

/** Of one configuration: each for when its turn may come, so that it is not looked at all the time. */
async function putOff(
  { db, jobs, clock }: VoiceDesk,
  lot: readonly PutOff[],
): Promise<readonly undefined[]> {
  const { place, limit } = lot[0]!;
  const now = clock().getTime();
  const items = lot.map(({ job }, at) => {
    const windows = Math.min(windowsMax, 1 + Math.floor(at / limit.max));
    return { job, runAt: new Date(now + windows * limit.windowMs) };
  });
  await db.tenant(place.tenantId, (tx) => jobs.reschedule(tx, place.tenantId, items));
  return [];
}

async function finish(
  { db, jobs }: VoiceDesk,
  { tenantId }: Place,
  over: readonly Job[],
): Promise<void> {
  if (over.length > 0) await db.tenant(tenantId, (tx) => jobs.complete(tx, tenantId, over));
}
