import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sqlAt, startDb, type TestDb } from '../../../test/kit/postgres.ts';
import type { Tx } from '../db/tx.ts';
import { createLog } from '../log/log.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { type Prunable, type RetentionContext, startRetention } from './retention.ts';

let kit: TestDb;
beforeAll(async () => {
  kit = await startDb();
  await sqlAt(kit.url, 'create table old_thing (id int primary key, ended_at timestamptz)');
  await sqlAt(kit.url, 'grant select, insert, delete on old_thing to public');
});
afterAll(() => kit.stop());
beforeEach(() => sqlAt(kit.url, 'truncate old_thing'));

const now = new Date('2026-06-01T00:00:00Z');
const aYearLater = new Date(now.getTime() + 365 * 86_400_000);
const limits = { sweepMs: 3_600_000, rows: 10, batches: 1_000, things: 10 };

async function addThings(count: number, ageDays: number): Promise<void> {
  await sqlAt(
    kit.url,
    `insert into old_thing select coalesce(max(id), 0) + n, $2
     from (select max(id) as id from old_thing) o, generate_series(1, $1) n group by n`,
    [count, new Date(now.getTime() - ageDays * 86_400_000)],
  );
}

const left = async () => (await sqlAt(kit.url, 'select id from old_thing')).length;

function things(changes: Partial<Prunable> = {}): Prunable {
  return {
    kind: 'old_thing',
    lifeDays: 30,
    prune: (tx: Tx, before: Date, max: number) =>
      tx.run(
        `delete from old_thing where id in
           (select id from old_thing where ended_at < $1 limit $2)`,
        [before, max],
      ),
    ...changes,
  };
}

function open(...prunables: Prunable[]) {
  return openWith({ clock: () => now, databaseClock: async () => now }, ...prunables);
}

function openWith(
  clocks: Pick<RetentionContext, 'clock' | 'databaseClock'>,
  ...prunables: Prunable[]
) {
  const metrics = createMetrics();
  const log = createLog({ level: 'silent' });
  const retention = startRetention({ db: kit.db, ...clocks, log, metrics }, prunables, [], limits);
  const pruned = async () => (await metrics.rowsPruned.get()).values;
  return { ...retention, pruned };
}

test('what is older than its life time goes, in batches; a metric counts it', async () => {
  await addThings(35, 31);
  await addThings(7, 29);
  const node = open(things());
  await node.sweep();
  expect(await left()).toBe(7);
  expect(await node.pruned()).toEqual([{ labels: { kind: 'old_thing' }, value: 35 }]);
  await node.stop();
});

test.each([
  ['node', { clock: () => aYearLater, databaseClock: async () => now }],
  ['database', { clock: () => now, databaseClock: async () => aYearLater }],
])('a clock of the %s that is a year ahead ends no life time', async (_, clocks) => {
  await addThings(5, 29);
  await addThings(3, 31);
  const node = openWith(clocks, things());
  await node.sweep();
  expect(await left()).toBe(5);
  await node.stop();
});

test('several nodes at once delete each thing once, and a failing kind stops no other', async () => {
  await addThings(200, 31);
  const broken = things({ kind: 'broken', prune: () => Promise.reject(new Error('no')) });
  const nodes = Array.from({ length: 4 }, () => open(broken, things()));
  await Promise.all(nodes.map((node) => node.sweep()));
  // A node that finds another at work leaves the kind to it.
  await nodes[0]!.sweep();
  expect(await left()).toBe(0);
  const counts = await Promise.all(nodes.map((node) => node.pruned()));
  const ofThings = counts.flat().filter(({ labels }) => labels.kind === 'old_thing');
  expect(ofThings.reduce((sum, { value }) => sum + value, 0)).toBe(200);
  await Promise.all(nodes.map((node) => node.stop()));
});

test('a stop ends the sweep behind the batch that is under way', async () => {
  await addThings(100, 31);
  const begun = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const slow = things({
    prune: async (...values) => {
      begun.resolve();
      await mayEnd.promise;
      return things().prune(...values);
    },
  });
  const node = open(slow);
  const sweep = node.sweep();
  await begun.promise;
  const stopped = node.stop();
  mayEnd.resolve();
  await stopped;
  await sweep;
  expect(await left()).toBe(90);
});

test('an idempotency key goes with what it made, and no earlier', async () => {
  const tenant = randomUUID();
  await sqlAt(kit.url, "insert into tenant (id, name) values ($1, 'Acme')", [tenant]);
  await kit.db.tenant(tenant, async (tx) => {
    for (const id of ['tag_a', 'tag_b']) {
      await tx.run(
        `insert into tag (tenant_id, id, name, created_at) values ($1, $2, $2, '2020-01-01')`,
        [tenant, id],
      );
      await tx.run(
        `insert into idempotency (tenant_id, environment, route, key, fingerprint, made_id, created_at)
         values ($1, 'live', 'POST /tags/', $2, repeat('0', 64), $2, '2020-01-01')`,
        [tenant, id],
      );
    }
    await tx.run('delete from tag where tenant_id = $1 and id = $2', [tenant, 'tag_a']);
    const keys = await tx.rows('select made_id from idempotency where tenant_id = $1', [tenant]);
    expect(keys).toEqual([{ made_id: 'tag_b' }]);
  });
});
