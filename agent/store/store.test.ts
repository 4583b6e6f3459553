import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isLocked, takeLock } from './lock.ts';
import { openQueue } from './queue.ts';
import { createStore, type Store } from './store.ts';

const clock = () => new Date('2026-11-21T08:00:00Z');
let home: string;
let store: Store;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'drawbridge-store-'));
  store = open();
});
afterEach(() => {
  store.close();
  rmSync(home, { recursive: true });
});

function open(): Store {
  const queue = openQueue(home, clock);
  if (queue.kind === 'newer') throw new Error('newer');
  return createStore(queue.database, clock);
}

function reopen(): void {
  store.close();
  store = open();
}

describe('commands', () => {
  test('are done in the order they came, each connector by itself', () => {
    store.accept('c1', 'erp', '1');
    store.accept('c2', 'crm', '2');
    store.accept('c3', 'erp', '3');
    expect(new Set(store.connectorsWithPending())).toEqual(new Set(['crm', 'erp']));
    expect(store.oldestPending('erp')?.id).toBe('c1');
    store.complete('c1', { kind: 'written', target: 't' });
    expect(store.oldestPending('erp')?.id).toBe('c3');
  });

  test('that come again while pending are kept once', () => {
    store.accept('c1', 'erp', '1');
    store.accept('c1', 'erp', 'other');
    expect(store.depths().pendingCommands).toBe(1);
    expect(store.oldestPending('erp')?.body).toBe('1');
  });

  test('that come again when done are not done again, and their outcome is sent once more', () => {
    store.accept('c1', 'erp', '1');
    store.complete('c1', { kind: 'written', target: 't' });
    const [reported] = store.events(0, 10);
    store.forget([reported!.number]);
    expect(store.events(0, 10)).toEqual([]);
    store.accept('c1', 'erp', '1');
    expect(store.oldestPending('erp')).toBeUndefined();
    const [again] = store.events(reported!.number, 10);
    expect(again).toMatchObject({ id: 'c1', topic: 'command.done', body: reported!.body });
  });

  test('keep their first outcome', () => {
    store.accept('c1', 'erp', '1');
    store.complete('c1', { kind: 'written', target: 't' });
    store.complete('c1', { kind: 'unsupported' });
    expect(store.events(0, 10).map((event) => JSON.parse(event.body).kind)).toEqual(['written']);
  });
});

test('document changes and the cursor move together, and survive reopening', () => {
  store.advance('erp', 'p1', [{ id: 'e1', refs: ['a', 'b'] }]);
  store.advance('erp', 'p2', []);
  reopen();
  expect(store.cursor('erp')).toBe('p2');
  expect(store.events(0, 10).map((event) => event.id)).toEqual(['e1']);
});

test('event numbers continue after all events were delivered', () => {
  store.advance('erp', 'p1', [{ id: 'e1', refs: ['a'] }]);
  const [first] = store.events(0, 1);
  store.forget([first!.number]);
  reopen();
  store.advance('erp', 'p2', [{ id: 'e2', refs: ['b'] }]);
  expect(store.events(first!.number, 10).map((event) => event.id)).toEqual(['e2']);
});

test('a commit is on disk when it returns: WAL with full synchronisation', () => {
  const queue = openQueue(home, clock);
  if (queue.kind === 'newer') throw new Error('newer');
  expect(queue.database.pragma('journal_mode', { simple: true })).toBe('wal');
  expect(queue.database.pragma('synchronous', { simple: true })).toBe(2);
  queue.database.close();
});

test('on a full disk what was accepted stays, nothing more is taken, and all goes on with space', () => {
  store.accept('c1', 'erp', '1');
  store.close();
  const queue = openQueue(home, clock);
  if (queue.kind === 'newer') throw new Error('newer');
  store = createStore(queue.database, clock);
  // As SQLite sees a full disk: it gets no further page.
  const pages = queue.database.pragma('page_count', { simple: true });
  queue.database.pragma(`max_page_count = ${pages}`);
  const large = 'x'.repeat(200_000);
  expect(() => store.accept('c2', 'erp', large)).toThrow('database or disk is full');
  const change = { id: 'e1', refs: [large] };
  expect(() => store.advance('erp', '7', [change])).toThrow('database or disk is full');
  expect([store.depths().pendingCommands, store.cursor('erp')]).toEqual([1, undefined]);
  queue.database.pragma('max_page_count = 1000000');
  store.accept('c2', 'erp', large);
  reopen();
  expect(store.depths().pendingCommands).toBe(2);
});

test.each([
  {
    what: 'is no database',
    damage: (file: string) => writeFileSync(file, 'x'.repeat(8_192)),
  },
  {
    what: 'has a torn page',
    damage(file: string) {
      const database = new Database(file);
      database.pragma('wal_checkpoint(truncate)');
      database.close();
      const bytes = Buffer.alloc(8_192, 0xa5);
      writeFileSync(file, bytes, { flag: 'r+', flush: true });
      appendFileSync(file, bytes);
    },
  },
])('a queue that $what is set aside and a new one begun', ({ damage }) => {
  store.accept('c1', 'erp', '1');
  store.close();
  damage(join(home, 'queue.db'));
  const queue = openQueue(home, clock);
  if (queue.kind === 'newer') throw new Error('newer');
  store = createStore(queue.database, clock);
  expect(queue.quarantined).toBe(join(home, 'quarantine', 'queue-2026-11-21T080000.000Z.db'));
  expect(existsSync(queue.quarantined!)).toBe(true);
  expect(store.depths().pendingCommands).toBe(0);
  expect(readdirSync(home)).toContain('queue.db');
});

test('a queue that a newer agent wrote is left alone', () => {
  store.close();
  const database = new Database(join(home, 'queue.db'));
  database.pragma('user_version = 99');
  database.close();
  expect(openQueue(home, clock)).toEqual({ kind: 'newer', version: 99 });
  const after = new Database(join(home, 'queue.db'));
  expect(after.pragma('user_version', { simple: true })).toBe(99);
  after.pragma('user_version = 1');
  after.close();
  store = open();
});

test('one process holds the lock of a home folder, until it releases it', () => {
  const lock = takeLock(home);
  expect(takeLock(home)).toBeUndefined();
  expect(isLocked(home)).toBe(true);
  lock!.release();
  expect(isLocked(home)).toBe(false);
});
