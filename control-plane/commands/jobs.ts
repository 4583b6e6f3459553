import type { Command } from 'commander';
import type { MigratedDatabase } from '../installation/migrated-database.ts';
import type { Tx } from '../platform/db/tx.ts';
import {
  discardParkedJob,
  findJob,
  type KnownJobRow,
  listParkedJobs,
  retryParkedJob,
} from '../platform/jobs/parked-job-store.ts';
import {
  databaseUser,
  print,
  type Shape,
  UsageError,
  type WithDatabase,
} from './administration.ts';
import type { OpenCommandContext } from './context.ts';
import { tenantId, wholeNumber } from './option-parsers.ts';

interface ListOptions extends Shape {
  readonly queue?: string;
  readonly tenant?: string;
  readonly max: number;
}

const listedMax = 10_000;

/** `jobs …`: the jobs that nodes gave up, after they were lost or failed too often. */
export function addJobs(program: Command, openContext: OpenCommandContext): void {
  const jobs = program
    .command('jobs')
    .description('jobs that are parked: lost or failed too often');
  const withDatabase = databaseUser(openContext);
  jobs
    .command('list')
    .description('list parked jobs, the last parked first')
    .option('--queue <name>', 'only of this queue')
    .option('--tenant <id>', 'only of this tenant', tenantId)
    .option('--max <count>', 'how many, at most', wholeNumber(1, listedMax), 100)
    .option('--json', 'print JSON')
    .action((options: ListOptions) => withDatabase((_, { db }) => list(options, db)));
  jobs
    .command('show <id>')
    .description('show a job, parked or not, with its payload and its last error')
    .option('--json', 'print JSON')
    .action((id: string, shape: Shape) =>
      withDatabase(async (_, { db }) => {
        const job = shown(await known(db, id));
        const lines = Object.entries(job).map(([name, value]) => `${name}: ${textOf(value)}`);
        print(shape, job, lines.join('\n'));
      }),
    );
  addChange(jobs.command('retry <ids...>').description('try parked jobs again, from now on'), {
    withDatabase,
    done: 'retried',
    change: (tx, job) => refuseUnless(retryParkedJob(tx, job.tenant_id, job.id), job),
  });
  addChange(
    jobs
      .command('discard <ids...>')
      .description('delete parked jobs; what they were for is never done'),
    {
      withDatabase,
      done: 'discarded',
      change: (tx, job) => refuseUnless(discardParkedJob(tx, job.tenant_id, job.id), job),
    },
  );
}

type Db = MigratedDatabase['db'];

interface Change {
  readonly withDatabase: WithDatabase;
  readonly done: string;
  readonly change: (tx: Tx, job: KnownJobRow) => Promise<void>;
}

function addChange(command: Command, { withDatabase, done, change }: Change): void {
  command.option('--json', 'print JSON').action((ids: string[], shape: Shape) =>
    withDatabase(async (_, { db, audit }) => {
      const found: KnownJobRow[] = [];
      // A wrong id among them changes nothing.
      for (const id of ids) found.push(await findParked(db, id));
      for (const job of found) {
        const { tenant_id: tenant, queue, key } = job;
        await db.tenant(tenant, async (tx) => {
          await change(tx, job);
          const action = `jobs ${command.name()}`;
          await audit(tx, tenant, { action, subject: String(job.id), before: { queue, key } });
        });
      }
      print(shape, { [done]: ids.map(Number) }, ids.map((id) => `${id} is ${done}`).join('\n'));
    }),
  );
}

async function list({ queue, tenant, max, ...shape }: ListOptions, db: Db): Promise<void> {
  const rows = await db.system((tx) => listParkedJobs(tx, { queue, tenantId: tenant, max }));
  const lines = rows.map(({ id, parked_at, tenant_id, queue: name, key, ...row }) => {
    const why = row.last_error ?? `lost ${row.losses} times`;
    return `${id}  ${parked_at?.toISOString()}  ${tenant_id}  ${name}  ${key}  ${why}`;
  });
  print(shape, rows.map(shown), lines.join('\n') || 'no job is parked');
}

async function known(db: Db, id: string): Promise<KnownJobRow> {
  const row = /^\d{1,15}$/.test(id) ? await db.system((tx) => findJob(tx, Number(id))) : undefined;
  if (row === undefined) throw new UsageError(`there is no job ${id}; \`jobs list\` shows the ids`);
  return row;
}

async function findParked(db: Db, id: string): Promise<KnownJobRow> {
  const job = await known(db, id);
  if (job.parked_at === null) throw notParked(job);
  return job;
}

async function refuseUnless(changed: Promise<boolean>, job: KnownJobRow): Promise<void> {
  if (!(await changed)) throw notParked(job);
}

function notParked({ id }: KnownJobRow): UsageError {
  return new UsageError(`job ${id} is not parked: nodes still work on it`);
}

/** What a person needs of a job. */
function shown({ claim_id, ...job }: KnownJobRow): Record<string, unknown> {
  const { id, tenant_id: tenant, queue, key, parked_at: parkedAt, run_at: runAt, ...rest } = job;
  const { losses, attempts, last_error: lastError, created_at: createdAt, payload } = rest;
  return {
    id,
    tenant,
    queue,
    key,
    state: parkedAt !== null ? 'parked' : claim_id !== null ? 'held' : 'waiting',
    losses,
    attempts,
    last_error: lastError,
    created_at: createdAt,
    run_at: runAt,
    parked_at: parkedAt,
    payload,
  };
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}
