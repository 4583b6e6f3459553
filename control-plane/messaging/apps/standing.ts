/**
 * What networks think of numbers: asked when they tell that something changed, since what they tell
 * names a number by its digits alone, late and in any order.
 */
import type { Environment } from '../../platform/auth/principal.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Clock } from '../../platform/ids.ts';
import type { Job, NewJob } from '../../platform/jobs/job.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Worker } from '../../platform/jobs/worker.ts';
import type { Place } from '../contacts/store.ts';
import type { ProviderCalls } from '../provider-calls.ts';
import type { AppDesk } from './desk.ts';
import { type AppRow, findApp, setStanding } from './store.ts';

const standingQueue = 'app-standing';
const retryMs = 60_000;
const attemptsMax = 10;

export interface StandingContext {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly desk: AppDesk;
  readonly calls: ProviderCalls;
  readonly clock: Clock;
}

interface Payload {
  readonly environment: Environment;
}

/** The job that asks how a number stands. */
export function standingJob({ environment }: Place, { id }: AppRow): NewJob {
  return { queue: standingQueue, key: id, payload: { environment } satisfies Payload };
}

export function startStandings(context: StandingContext): Worker {
  return context.jobs.work<Payload>({
    ...{ queue: standingQueue, batch: 1, concurrency: 2 },
    handler: async (claimed) => {
      for (const job of claimed) await look(context, job);
    },
  });
}

async function look(context: StandingContext, job: Job<Payload>): Promise<void> {
  const { db, jobs, desk, calls, clock } = context;
  const place = { tenantId: job.tenantId, environment: job.payload.environment };
  const row = await db.tenant(place.tenantId, (tx) => findApp(tx, place, job.key));
  const opened = row === undefined ? undefined : desk.open(place, row);
  const codec = opened?.channel.standing;
  const end = (work: (tx: Tx) => Promise<unknown>) =>
    db.tenant(place.tenantId, async (tx) => {
      await work(tx);
      await jobs.complete(tx, place.tenantId, [job]);
    });
  if (opened === undefined || codec === undefined) return end(async () => undefined);
  await desk.prepare(place, opened);
  const request = codec.request(opened.app);
  const answer = await calls.exchange(place.environment, opened.channel.id, request);
  const told = answer.kind === 'answered' ? codec.read(answer.response) : undefined;
  if (told === undefined && job.attempt < attemptsMax) {
    const later = { job, runAt: new Date(clock().getTime() + retryMs) };
    return db.tenant(place.tenantId, (tx) => jobs.reschedule(tx, place.tenantId, [later]));
  }
  return end(async (tx) => {
    const now = await findApp(tx, place, job.key);
    if (told === undefined || now === undefined) return;
    const { quality = null, tier = null } = told;
    const before = desk.settingsOf(now);
    const isSame = Object.entries(told.settings).every(([name, value]) => before[name] === value);
    const settings = isSame ? null : desk.seal(now.id, { ...before, ...told.settings });
    const standing = { quality, tier, told_at: clock().toISOString() };
    await setStanding(tx, place, now.id, { standing, settings }, clock());
  });
}
