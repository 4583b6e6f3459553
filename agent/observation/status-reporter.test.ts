import { limits } from '@drawbridge/link/limits.ts';
import { expect, test } from 'vitest';
import type { Finding } from '../doctor/finding.ts';
import type { HealthReport } from '../health.ts';
import { createRedaction } from '../log/redaction.ts';
import type { Store } from '../store/store.ts';
import { createStatusReporter } from './status-reporter.ts';

const begun = new Date('2026-11-24T08:00:00.000Z');
const since = begun.toISOString();
const ok: Finding = { component: 'clock', target: 'here', status: 'ok', detail: '0 s' };
const fault: Finding = {
  component: 'connector',
  target: 'erp',
  status: 'fail',
  detail: 'hunter2-secret was refused',
  code: 'source_fault',
  action: 'Correct it.',
};

/** A reporter whose doctor, queue and clock a test moves. */
function start(found: readonly Finding[] = [ok, fault]) {
  const depths = {
    pendingCommands: 0,
    oldestPendingAt: null,
    unsentEvents: 0,
    unsentDocuments: 0,
    unsentBytes: 0,
    oldestUnsentAt: null,
  };
  const health: HealthReport = {
    link: { state: 'connected', detail: '', since },
    disk: { state: 'room', detail: '', since },
    queue: { state: 'room', detail: '', since },
    unreadable: [],
    waiting: [{ connector: 'erp', detail: 'locked by hunter2-secret', since }],
  };
  const world = {
    now: begun.getTime(),
    freeBytes: 10 * 1_073_741_824 + 1_048_576,
    depths,
    examinations: 0,
    changes: 0,
    reported: [] as string[],
    setAside: [] as ReturnType<Store['setAside']>,
  };
  const reporter = createStatusReporter({
    store: {
      depths: () => world.depths,
      setAsideCounts: () => new Map(world.setAside.map(({ connector }) => [connector, 1])),
      setAside: () => world.setAside,
    },
    health: { report: () => health },
    clock: () => new Date(world.now),
    redaction: () => createRedaction(['hunter2-secret']),
    examine: async () => {
      world.examinations += 1;
      if (found.length === 0) throw new Error('no doctor');
      return found;
    },
    freeBytes: () => world.freeBytes,
    changed: () => void (world.changes += 1),
    report: (event) => void world.reported.push(event),
  });
  return { reporter, world };
}

/** Past the first examination. */
async function examined(found?: readonly Finding[]) {
  const started = start(found);
  expect(started.reporter.next()).toBeUndefined();
  await expect.poll(() => started.world.changes).toBe(1);
  return started;
}

test('once the doctor has looked it is said how the agent is, the worst first, without secrets', async () => {
  const { reporter } = await examined();
  const status = reporter.next()!;
  expect(status).toMatchObject({ disk: { state: 'room' }, examined_at: since });
  expect(status.findings.map(({ status, code }) => [status, code])).toEqual([
    ['fail', 'source_fault'],
    ['ok', undefined],
  ]);
  expect(JSON.stringify(status)).not.toContain('hunter2');
  expect(status.findings[0]).not.toHaveProperty('action');
});

test('documents that were set aside are a finding at once', async () => {
  const { reporter, world } = await examined();
  world.setAside = [{ connector: 'api', ref: 'N-7', detail: 'It failed.', since, next_at: since }];
  expect(reporter.next()!.findings).toContainEqual({
    component: 'connector',
    target: 'api',
    status: 'warn',
    detail: 'Set aside: 1 document: N-7: It failed.',
    code: 'documents_set_aside',
  });
});

test('it is said again when it changed, a minute later at the earliest', async () => {
  const { reporter, world } = await examined();
  expect(reporter.next()).toBeDefined();
  world.now += limits.statusMs;
  world.freeBytes -= 1_000;
  expect(reporter.next()).toBeUndefined();
  world.depths = { ...world.depths, pendingCommands: 1 };
  expect(reporter.next()?.queue.pending_commands).toBe(1);
  world.depths = { ...world.depths, pendingCommands: 2 };
  world.now += limits.statusMs - 1;
  expect(reporter.next()).toBeUndefined();
  world.now += 1;
  expect(reporter.next()?.queue.pending_commands).toBe(2);
});

test('a new session is told what another was told', async () => {
  const { reporter, world } = await examined();
  reporter.next();
  world.now += limits.statusMs;
  expect(reporter.next()).toBeUndefined();
  reporter.linked();
  expect(reporter.next()).toBeDefined();
});

test('the doctor looks again after a while, and never twice at once', async () => {
  const { reporter, world } = start();
  for (let at = 0; at < 5; at += 1) reporter.next();
  await expect.poll(() => world.changes).toBe(1);
  world.now += 899_999;
  reporter.next();
  expect(world.examinations).toBe(1);
  world.now += 1;
  for (let at = 0; at < 5; at += 1) reporter.next();
  expect(world.examinations).toBe(2);
});

test.each([[[ok]], [[]]])(
  'an agent that has ended says nothing more, whatever its doctor finds: %j',
  async (found) => {
    const { reporter, world } = start(found);
    reporter.next();
    reporter.stop();
    await Promise.resolve();
    expect([reporter.next(), world.changes, world.reported]).toEqual([undefined, 0, []]);
  },
);

test('a doctor that fails is reported, and the queue is told all the same', async () => {
  const { reporter, world } = await examined([]);
  expect(world.reported).toEqual(['doctor_failed']);
  expect(reporter.next()).toMatchObject({ findings: [] });
});
