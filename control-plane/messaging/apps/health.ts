/**
 * The quality and tier that networks give a number. A webhook that reports a change only triggers a
 * request, because it names the number by its digits, late and in any order.
 */
import type { Environment } from '../../platform/auth/principal.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Clock } from '../../platform/ids.ts';
import type { Job, NewJob } from '../../platform/jobs/job.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Worker } from '../../platform/jobs/worker.ts';
import type { ProviderCalls } from '../provider-calls.ts';
import type { AppOpener } from './app-opener.ts';
import { type AppRow, findApp, saveHealth } from './store.ts';

const healthQueue = 'app-health';
const retryMs = 60_000;
const attemptsMax = 10;

export interface HealthContext {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly appOpener: AppOpener;
  readonly calls: ProviderCalls;
  readonly clock: Clock;
}

interface Payload {
  readonly environment: Environment;
  /** How often the network was asked in vain; none at first. */
  readonly failures?: number;
}

/** The job that asks the network for the number's health. */
export function healthJob({ environment }: TenantScope, { id }: AppRow): NewJob {
  return { queue: healthQueue, key: id, payload: { environment } satisfies Payload };
}

export function startHealthChecks(context: HealthContext): Worker {
  return context.jobs.work<Payload>({
    queue: healthQueue,
    batch: 1,
    concurrency: 2,
    handler: async (claimed) => {
      for (const job of claimed) await checkHealth(context, job);
    },
  });
}

async function checkHealth(context: HealthContext, job: Job<Payload>): Promise<void> {
  const { db, jobs, appOpener, calls, clock } = context;
  const scope = { tenantId: job.tenantId, environment: job.payload.environment };
  const row = await db.tenant(scope.tenantId, (tx) => findApp(tx, scope, job.key));
  const opened = row === undefined ? undefined : appOpener.open(scope, row);
  const codec = opened?.channel.health;
  const end = (work: (tx: Tx) => Promise<unknown>) =>
    db.tenant(scope.tenantId, async (tx) => {
      await work(tx);
      await jobs.complete(tx, scope.tenantId, [job]);
    });
  if (opened === undefined || codec === undefined) return end(async () => undefined);
  await appOpener.prepare(scope, opened);
  const request = codec.request(opened.app);
  const answer = await calls.exchange(scope.environment, opened.channel.id, request);
  const answered = answer.kind === 'answered' ? codec.read(answer.response) : undefined;
  const failures = (job.payload.failures ?? 0) + 1;
  if (answered === undefined && failures < attemptsMax) {
    const payload: Payload = { environment: scope.environment, failures };
    const later = { job, payload, runAt: new Date(clock().getTime() + retryMs) };
    return db.tenant(scope.tenantId, (tx) => jobs.reschedule(tx, scope.tenantId, [later]));
  }
  return end(async (tx) => {
    const now = await findApp(tx, scope, job.key);
    if (answered === undefined || now === undefined) return;
    const { quality = null, tier = null } = answered;
    const before = appOpener.settingsOf(now);
    const isSame = Object.entries(answered.settings).every(
      ([name, value]) => before[name] === value,
    );
    const settings = isSame ? null : appOpener.seal(now.id, { ...before, ...answered.settings });
    const health = { quality, tier, reported_at: clock().toISOString() };
    await saveHealth(tx, scope, now.id, { health, settings }, clock());
  });
}
