import { afterEach, expect, test, vi } from 'vitest';
import { eventually } from '../../../test/kit/eventually.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { openThreadPool, type ThreadPool, type ThreadPoolLimits } from './thread-pool.ts';

const program = new URL('./thread-pool.fixture.ts', import.meta.url);
let pool: ThreadPool;
afterEach(() => pool.close());

function open(limits: Partial<ThreadPoolLimits> = {}, threads = 1): void {
  pool = openThreadPool({ program, threads, limits });
}

interface Said {
  readonly threadId: number;
  readonly environment: Record<string, string>;
}

const run = (task: unknown, tenantId = 'acme', bytes = 1) =>
  pool.run<Said>(tenantId, { bytes, prepare: async () => ({ task }) });

/** A task that begins, and ends when it is told to. */
function gate() {
  const shared = new SharedArrayBuffer(8);
  const words = new Int32Array(shared);
  return {
    task: shared,
    begun: () => eventually(() => expect(Atomics.load(words, 0)).toBe(1)),
    open: () => void Atomics.store(words, 1, 1),
  };
}

test.each([
  ['hang', 'time', { taskMsMax: 3_000 }],
  ['grow', 'memory', { heapMiBMax: 64 }],
  ['exit', 'crash', {}],
])('%s: the caller hears %s, and the pool goes on', async (task, cause, limits) => {
  open(limits);
  const outcomes = await Promise.all([run('ok'), run(task), run('ok')]);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'ended', 'done']);
  expect(outcomes[1]).toEqual({ kind: 'ended', cause });
});

test('what the program throws is its caller’s, and the thread goes on', async () => {
  open();
  const before = await run('ok');
  await expect(run('throw')).rejects.toThrow('a fault of the program');
  expect(await run('ok')).toEqual(before);
});

test('a thread knows nothing of our environment', async () => {
  vi.stubEnv('DRAWBRIDGE_SECRET_KEY', 'secret');
  open();
  expect(await run('ok')).toMatchObject({ kind: 'done', result: { environment: {} } });
});

test('tenants come in turn, whoever has put in more', async () => {
  open();
  const [first, order] = [gate(), [] as string[]];
  const told = (tenant: string) => run('ok', tenant).then(() => order.push(tenant));
  const held = run(first.task);
  await first.begun();
  const all = [told('acme'), told('acme'), told('acme'), told('other'), told('third')];
  first.open();
  await Promise.all([held, ...all]);
  expect(order).toEqual(['acme', 'other', 'third', 'acme', 'acme']);
});

test('beyond its bounds a tenant is told at once, except of what has to be ended', async () => {
  open({ tenantTasksMax: 3, tenantBytesMax: 100 });
  const first = gate();
  const held = [run(first.task, 'acme', 500)];
  await first.begun();
  expect(await run('ok', 'acme', 1)).toEqual({ kind: 'busy' });
  const due = pool.run('acme', { bytes: 1, prepare: async () => ({ task: 'ok' }), isDue: true });
  held.push(run('ok', 'other', 90), run('ok', 'other', 5), run('ok', 'other', 5));
  expect(await run('ok', 'other', 0)).toEqual({ kind: 'busy' });
  first.open();
  const outcomes = await Promise.all([due, ...held]);
  expect(outcomes.every(({ kind }) => kind === 'done')).toBe(true);
  expect(await run('ok', 'acme', 500)).toMatchObject({ kind: 'done' });
});

test('how many threads are busy, and how many tasks wait and for how long, is measured', async () => {
  const metrics = createMetrics();
  const time = { nowMs: 0 };
  const measured = { metrics, stopwatch: () => time.nowMs };
  pool = openThreadPool({ program, threads: 1, limits: { tenantTasksMax: 2 }, measured });
  const values = async () => (await metrics.registry.metrics()).split('\n');
  const first = gate();
  const all = [run(first.task), run('ok')];
  await first.begun();
  expect(await run('ok')).toEqual({ kind: 'busy' });
  expect(await values()).toEqual(
    expect.arrayContaining([
      'drawbridge_threads_busy 1',
      'drawbridge_thread_tasks_waiting 1',
      'drawbridge_load_refusals_total{reason="tenant_tasks"} 1',
    ]),
  );
  time.nowMs = 3_000;
  first.open();
  await Promise.all(all);
  expect(await values()).toEqual(
    expect.arrayContaining([
      'drawbridge_threads_busy 0',
      'drawbridge_thread_tasks_waiting 0',
      'drawbridge_thread_task_wait_seconds_sum 3',
      'drawbridge_thread_task_wait_seconds_count 2',
    ]),
  );
});

test('as many tasks run at once as there are threads', async () => {
  open({}, 2);
  const gates = [gate(), gate()];
  const held = gates.map(({ task }) => run(task));
  await Promise.all(gates.map(({ begun }) => begun()));
  for (const each of gates) each.open();
  const outcomes = await Promise.all(held);
  const threads = outcomes.map((each) => (each.kind === 'done' ? each.result.threadId : each.kind));
  expect(new Set(threads).size).toBe(2);
});

test('closed while it works, it fails what is under way', async () => {
  open();
  const first = gate();
  const held = expect(run(first.task)).rejects.toThrow();
  await first.begun();
  await pool.close();
  await held;
});
