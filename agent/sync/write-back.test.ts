import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connector, WriteBackOutcome } from '@drawbridge/connectors/contract.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openQueue } from '../store/queue.ts';
import { createStore, type Store } from '../store/store.ts';
import { giveUpAfterMs, type WriteBackContext, WriteBackWorker } from './write-back.ts';

let home: string;
let store: Store;
let now: Date;
const fault = { code: 'unreachable', message: 'The database is down.', retry: 'later' as const };

beforeEach(() => {
  now = new Date('2026-11-21T08:00:00Z');
  home = mkdtempSync(join(tmpdir(), 'drawbridge-write-'));
  const queue = openQueue(home, () => now);
  if (queue.kind !== 'open') throw new Error(queue.kind);
  store = createStore(queue.database, () => now);
});
afterEach(() => {
  store.close();
  rmSync(home, { recursive: true });
});

function body(idempotencyKey: string, sourceRef = '1'): string {
  const confirmation = {
    invoiceId: 'inv_1',
    sourceRef,
    status: 'cleared',
    profile: 'PINT-MY',
    settledAt: '2026-11-21T07:00:00Z',
  };
  return JSON.stringify({
    connector: 'erp',
    command: { idempotencyKey, environment: 'live', confirmation },
  });
}

/** Of one source that answers so to a key. */
function workerOf(
  answer: (key: string) => WriteBackOutcome,
  changes: Partial<WriteBackContext>,
): WriteBackWorker {
  const source = {
    writeBack: async ({ idempotencyKey }: { idempotencyKey: string }) => answer(idempotencyKey),
  } as unknown as Connector;
  return new WriteBackWorker({
    store,
    sources: { use: async (_, work) => ({ kind: 'used', value: await work(source) }) },
    failed(error) {
      throw error;
    },
    waiting() {},
    completed() {},
    clock: () => now,
    random: () => 0,
    backoff: { baseMs: 1, capMs: 1 },
    ...changes,
  });
}

/** Writes with a source that answers by script, and resolves once `count` commands are done. */
async function write(script: (key: string, attempt: number) => WriteBackOutcome, count: number) {
  const keys: string[] = [];
  const told: (string | undefined)[] = [];
  let left = count;
  const done = Promise.withResolvers<void>();
  const answer = (idempotencyKey: string) => {
    keys.push(idempotencyKey);
    return script(idempotencyKey, keys.filter((key) => key === idempotencyKey).length);
  };
  const writeBack = workerOf(answer, {
    waiting: (_, why) => void (told.at(-1) === why || told.push(why)),
    completed() {
      left -= 1;
      if (left === 0) done.resolve();
    },
  });
  writeBack.wake();
  await done.promise;
  await writeBack.stop();
  const reported = store.events(0, 10).map((event) => [event.id, JSON.parse(event.body).kind]);
  return { keys, reported, told };
}

test('commands of a connector are written in order, one after the other', async () => {
  store.accept('c1', 'erp', body('k1'));
  store.accept('c2', 'erp', body('k2'));
  const { keys, reported } = await write(() => ({ kind: 'written', target: 'einv_status' }), 2);
  expect(keys).toEqual(['k1', 'k2']);
  expect(reported).toEqual([
    ['c1', 'written'],
    ['c2', 'written'],
  ]);
});

test('a document that its source does not take holds up its own later commands, and no other', async () => {
  store.accept('c1', 'erp', body('k1', 'bad'));
  store.accept('c2', 'erp', body('k2', 'bad'));
  store.accept('c3', 'erp', body('k3', 'good'));
  store.accept('c4', 'erp', body('k4', 'better'));
  const { keys, told } = await write(
    (key, attempt) =>
      key === 'k1' && attempt < 4
        ? { kind: 'unreachable', fault }
        : { kind: 'written', target: 't' },
    4,
  );
  expect(keys).toEqual(['k1', 'k3', 'k4', 'k1', 'k1', 'k1', 'k2']);
  expect(told).toEqual([`bad: ${fault.message}`, undefined]);
});

test('a source that takes nothing is not asked for each of many documents', async () => {
  const refs = Array.from({ length: 20 }, (_, index) => `${index}`);
  for (const ref of refs) store.accept(`c${ref}`, 'erp', body(ref, ref));
  let isAway = true;
  const asked: string[] = [];
  const { reported } = await write((key) => {
    asked.push(key);
    // It is back after the first look.
    if (asked.length > 3) isAway = false;
    return isAway ? { kind: 'unreachable', fault } : { kind: 'written', target: 't' };
  }, 20);
  expect(asked.slice(0, 3)).toEqual(['0', '1', '2']);
  expect(asked).toHaveLength(23);
  expect(reported).toHaveLength(10);
});

test('in a run that has no later, many documents in a row that are not taken keep no other from its turn', async () => {
  const bad = Array.from({ length: 30 }, (_, index) => `bad-${index}`);
  for (const ref of bad) store.accept(`c-${ref}`, 'erp', body(ref, ref));
  store.accept('c-good', 'erp', body('good', 'good'));
  const asked: string[] = [];
  const writeBack = workerOf(
    (key) => {
      asked.push(key);
      return key === 'good' ? { kind: 'written', target: 't' } : { kind: 'unreachable', fault };
    },
    { failingMsMax: 60_000, backoff: { baseMs: 60_000, capMs: 60_000 }, random: () => 1 },
  );
  writeBack.wake();
  await writeBack.idle();
  await writeBack.stop();
  expect(asked).toEqual([...bad, 'good']);
  expect(store.depths().pendingCommands).toBe(30);
});

test('documents that are never taken keep no other from its turn', async () => {
  const bad = Array.from({ length: 30 }, (_, index) => `bad-${index}`);
  for (const ref of bad) store.accept(`c-${ref}`, 'erp', body(ref, ref));
  store.accept('c-good', 'erp', body('good', 'good'));
  const { reported } = await write(
    (key) => (key === 'good' ? { kind: 'written', target: 't' } : { kind: 'unreachable', fault }),
    1,
  );
  expect(reported).toEqual([['c-good', 'written']]);
});

test('a command waits for a source that is down, and those of the same document wait behind it', async () => {
  store.accept('c1', 'erp', body('k1'));
  store.accept('c2', 'erp', body('k2'));
  const { keys } = await write(
    (key, attempt) =>
      key === 'k1' && attempt < 4
        ? { kind: 'unreachable', fault }
        : { kind: 'written', target: 't' },
    2,
  );
  expect(keys).toEqual(['k1', 'k1', 'k1', 'k1', 'k2']);
});

test('a command waits for a right that an administrator grants later, and says what is lacking', async () => {
  store.accept('c1', 'erp', body('k1'));
  const denied = {
    code: 'access_denied',
    message: 'permission denied for schema public',
    retry: 'never',
  } as const;
  const { reported, told } = await write(
    (_, attempt) =>
      attempt < 3 ? { kind: 'unreachable', fault: denied } : { kind: 'written', target: 't' },
    1,
  );
  expect(reported).toEqual([['c1', 'written']]);
  expect(told).toEqual([`1: ${denied.message}`, undefined]);
});

test.each([
  {
    what: 'a conflict',
    outcome: { kind: 'conflict', found: 'inv_2' } as const,
    ageMs: 0,
  },
  {
    what: 'a source where trying again cannot help',
    outcome: { kind: 'unreachable', fault: { ...fault, retry: 'never' } } as const,
    ageMs: 0,
  },
  {
    what: 'a source that was down for longer than the patience',
    outcome: { kind: 'unreachable', fault } as const,
    ageMs: giveUpAfterMs,
  },
])('$what ends a command at the first answer', async ({ outcome, ageMs }) => {
  store.accept('c1', 'erp', body('k1'));
  now = new Date(now.getTime() + ageMs);
  const { keys, reported } = await write(() => outcome, 1);
  expect(keys).toEqual(['k1']);
  expect(reported).toEqual([['c1', outcome.kind]]);
});

test('a command that is not valid is given back and reaches no source', async () => {
  store.accept('c1', 'erp', '{"connector":"erp","command":{}}');
  const { keys, reported } = await write(() => ({ kind: 'written', target: 't' }), 1);
  expect(keys).toEqual([]);
  expect(reported).toEqual([['c1', 'unreachable']]);
});

test('why a command waits is told, and that it waits no more', async () => {
  store.accept('c1', 'erp', body('k1'));
  const message = 'permission denied for schema public';
  const fault = { code: 'access_denied', message, retry: 'later' } as const;
  const { told } = await write(
    (_, attempt) =>
      attempt < 3 ? { kind: 'unreachable', fault } : { kind: 'written', target: 't' },
    1,
  );
  expect(told).toEqual([`1: ${message}`, undefined]);
});
