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
import { packDocuments } from '@drawbridge/link/documents.ts';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isLocked, takeLock } from './lock.ts';
import { openQueue } from './queue.ts';
import { setAsideTexts } from './set-aside.ts';
import type { DocumentBatch } from './sources.ts';
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
  if (queue.kind !== 'open') throw new Error(queue.kind);
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
    expect(store.nextPending('erp', 0)?.id).toBe('c1');
    store.complete('c1', { kind: 'written', target: 't' });
    expect(store.nextPending('erp', 0)?.id).toBe('c3');
  });

  test('that come again while pending are kept once', () => {
    store.accept('c1', 'erp', '1');
    store.accept('c1', 'erp', 'other');
    expect(store.depths().pendingCommands).toBe(1);
    expect(store.nextPending('erp', 0)?.body).toBe('1');
  });

  test('that come again when done are not done again, and their outcome is sent once more', () => {
    store.accept('c1', 'erp', '1');
    store.complete('c1', { kind: 'written', target: 't' });
    const [reported] = store.events(0, 10);
    store.forget([reported!.number]);
    expect(store.events(0, 10)).toEqual([]);
    store.accept('c1', 'erp', '1');
    expect(store.nextPending('erp', 0)).toBeUndefined();
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

const batch = (id: string, ...refs: string[]): DocumentBatch => {
  return { id, refs, content: packDocuments([]) };
};

/** Moves the cursor of `erp` to `to`, with what these batches hold. */
function advance(to: string, ...batches: DocumentBatch[]): boolean {
  const hash = 'a'.repeat(64);
  const documents = batches.flatMap(({ refs }) => refs.map((ref) => ({ ref, hash, version: to })));
  const from = store.cursor('erp');
  return store.advance({ connector: 'erp', from, to, readAt: clock(), documents, batches });
}

const sequences = () => store.batches(0, 10).map(({ body }) => JSON.parse(body).sequence);

test('documents and the cursor move together, and survive reopening', () => {
  advance('p1', batch('e1', 'a', 'b'));
  advance('p2');
  reopen();
  expect(store.cursor('erp')).toBe('p2');
  expect(store.batches(0, 10)).toMatchObject([{ id: 'e1', documents: 2 }]);
  expect(JSON.parse(store.batches(0, 1)[0]!.body)).toMatchObject({
    connector: 'erp',
    sequence: 1,
    cursor: 'p1',
    refs: ['a', 'b'],
  });
  expect(store.hashes('erp', ['a', 'c'])).toEqual(new Map([['a', 'a'.repeat(64)]]));
});

test('a source that is forgotten is read from its beginning, and its batches are numbered on', () => {
  advance('p1', batch('e1', 'a'));
  store.forgetSource('erp');
  expect(store.cursor('erp')).toBeUndefined();
  expect(store.hashes('erp', ['a'])).toEqual(new Map());
  store.resume([{ connector: 'erp', queue: 'other', sequence: 1, cursor: 'p1' }]);
  expect(store.cursor('erp')).toBeUndefined();
  advance('p1', batch('e2', 'a'));
  expect(sequences()).toEqual([1, 2]);
});

test('a step from where the cursor is no more does nothing', () => {
  advance('p1', batch('e1', 'a'));
  store.rewind('erp', undefined);
  const step = { connector: 'erp', from: 'p1', to: 'p2', readAt: clock() };
  expect(store.advance({ ...step, documents: [], batches: [batch('e2', 'b')] })).toBe(false);
  expect([store.cursor('erp'), store.batches(0, 10).length]).toEqual([undefined, 1]);
});

test('event numbers and sequences continue after all was delivered', () => {
  advance('p1', batch('e1', 'a'));
  const [first] = store.batches(0, 1);
  store.forget([first!.number]);
  reopen();
  advance('p2', batch('e2', 'b'));
  expect(store.batches(first!.number, 10).map((event) => event.id)).toEqual(['e2']);
  expect(sequences()).toEqual([2]);
});

describe('going on from what the control plane has stored', () => {
  const queueOf = () => JSON.parse(store.batches(0, 1)[0]!.body).queue as string;

  test('a queue that knows nothing takes over cursors, and no others', () => {
    advance('p1');
    const stored = { queue: 'q', sequence: 7, cursor: 'c7' };
    const sources = ['erp', 'crm'].map((connector) => ({ ...stored, connector }));
    expect(store.resume(sources)).toEqual([]);
    expect([store.cursor('erp'), store.cursor('crm')]).toEqual(['p1', 'c7']);
    expect([store.knowsAll('erp'), store.knowsAll('crm')]).toEqual([true, false]);
  });

  test('a control plane that lost what it had confirmed is sent it again', () => {
    advance('p1', batch('e1', 'a'));
    const queue = queueOf();
    advance('p2', batch('e2', 'b'));
    advance('p3', batch('e3', 'c'));
    const numbers = store.batches(0, 3).map(({ number }) => number);
    store.forget(numbers.slice(0, 2), true);
    const stored = (sequence: number, cursor: string) => [
      { connector: 'erp', queue, sequence, cursor },
    ];
    expect(store.resume(stored(2, 'p2'))).toEqual([]);
    expect(store.cursor('erp')).toBe('p3');
    expect(store.resume(stored(1, 'p1'))).toEqual(['erp']);
    expect(store.cursor('erp')).toBe('p1');
    expect(store.hashes('erp', ['a', 'b'])).toEqual(
      new Map([
        ['a', 'a'.repeat(64)],
        ['b', ''],
      ]),
    );
    expect(store.resume(stored(1, 'p1'))).toEqual([]);
  });
});

describe('going back', () => {
  const at = (minute: number) => new Date(clock().getTime() + (minute - 60) * 60_000);

  beforeEach(() => {
    for (const minute of [1, 2, 3, 4]) {
      const from = store.cursor('erp');
      const to = `p${minute}`;
      const documents = [{ ref: to, version: null, hash: 'h' }];
      const batches = [batch(to, to)];
      store.advance({ connector: 'erp', from, to, readAt: at(minute), documents, batches });
    }
  });

  test.each([
    { minute: 2, documentsMax: 1_000, leadsTo: 'p2' },
    { minute: -1, documentsMax: 1, leadsTo: 'p3' },
    { minute: -1, documentsMax: 1_000, leadsTo: undefined },
  ])(
    'to minute $minute, at most $documentsMax documents, leads to $leadsTo',
    ({ minute, documentsMax, leadsTo }) => {
      store.stepBack('erp', at(minute), documentsMax);
      expect(store.cursor('erp')).toBe(leadsTo);
    },
  );

  test('after winding back does not lead forward', () => {
    store.rewind('erp', at(1));
    expect(store.cursor('erp')).toBe('p1');
    store.stepBack('erp', at(60), 1_000);
    expect(store.cursor('erp')).toBe('p1');
    store.rewind('erp', undefined);
    expect(store.cursor('erp')).toBeUndefined();
  });
});

describe('a clock that was a year ahead, and was set right', () => {
  let now: Date;
  let known: string;
  beforeEach(() => {
    known = '';
    store.close();
    const queue = openQueue(home, () => now);
    if (queue.kind !== 'open') throw new Error(queue.kind);
    store = createStore(queue.database, () => now);
  });

  /** Reads as the agent does, from ten minutes back to this position; returns where it began. */
  function read(to: string, minute: number, years = 0) {
    now = new Date(clock().getTime() + minute * 60_000);
    now.setUTCFullYear(now.getUTCFullYear() + years);
    store.stepBack('erp', new Date(now.getTime() - 600_000), 2_000);
    const from = store.cursor('erp');
    const batches = to === known ? [] : [batch(to, to)];
    known = to;
    store.advance({ connector: 'erp', from, to, readAt: now, documents: [], batches });
    return from;
  }

  test.each([
    { found: 'nothing', to: 'p1' },
    { found: 'a document', to: 'p2' },
  ])('is no reason to read all again at each round, when $found was found since', ({ to }) => {
    read('p1', 0, 1);
    read(to, 1);
    read(to, 2);
    expect(read(to, 60)).toBe(to);
  });
});

test('a commit is on disk when it returns: WAL with full synchronisation', () => {
  const queue = openQueue(home, clock);
  if (queue.kind !== 'open') throw new Error(queue.kind);
  expect(queue.database.pragma('journal_mode', { simple: true })).toBe('wal');
  expect(queue.database.pragma('synchronous', { simple: true })).toBe(2);
  queue.database.close();
});

test('on a full disk what was accepted stays, nothing more is taken, and all goes on with space', () => {
  store.accept('c1', 'erp', '1');
  store.close();
  const queue = openQueue(home, clock);
  if (queue.kind !== 'open') throw new Error(queue.kind);
  store = createStore(queue.database, clock);
  // As SQLite sees a full disk: it gets no further page.
  const pages = queue.database.pragma('page_count', { simple: true });
  queue.database.pragma(`max_page_count = ${pages}`);
  const large = 'x'.repeat(200_000);
  expect(() => store.accept('c2', 'erp', large)).toThrow('database or disk is full');
  expect(() => advance('7', batch('e1', large))).toThrow('database or disk is full');
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
])(
  'a queue that $what is set aside and a new one begun, unless an agent runs on it',
  ({ damage }) => {
    store.accept('c1', 'erp', '1');
    store.close();
    damage(join(home, 'queue.db'));
    const running = new Database(join(home, 'running.lock'));
    running.exec('begin exclusive');
    expect(openQueue(home, clock)).toEqual({ kind: 'damaged' });
    expect(existsSync(join(home, 'quarantine'))).toBe(false);
    running.close();
    const queue = openQueue(home, clock);
    if (queue.kind !== 'open') throw new Error(queue.kind);
    store = createStore(queue.database, clock);
    expect(queue.quarantined).toBe(join(home, 'quarantine', 'queue-2026-11-21T080000.000Z.db'));
    expect(existsSync(queue.quarantined!)).toBe(true);
    expect(store.depths().pendingCommands).toBe(0);
    expect(readdirSync(home)).toContain('queue.db');
  },
);

test('a queue that a newer agent wrote is used as far as that agent says that it can be', () => {
  store.accept('c1', 'erp', '1');
  store.close();
  const database = new Database(join(home, 'queue.db'));
  const version = database.pragma('user_version', { simple: true }) as number;
  database.exec(`alter table inbox add column later text; pragma user_version = ${version + 1}`);
  store = open();
  store.accept('c2', 'erp', '2');
  store.complete('c1', { kind: 'written', target: 't' });
  expect(store.nextPending('erp', 0)?.id).toBe('c2');
  store.close();
  expect(database.pragma('user_version', { simple: true })).toBe(version + 1);
  database.exec(`pragma application_id = ${version + 1}`);
  expect(openQueue(home, clock)).toEqual({ kind: 'newer', version: version + 1 });
  database.exec(`pragma application_id = 0; pragma user_version = ${version}`);
  database.close();
  store = open();
});

test('a queue that a newer agent wrote, and does not say so, is left alone', () => {
  store.close();
  const database = new Database(join(home, 'queue.db'));
  const version = database.pragma('user_version', { simple: true });
  database.exec('pragma user_version = 99; pragma application_id = 0');
  database.close();
  expect(openQueue(home, clock)).toEqual({ kind: 'newer', version: 99 });
  const after = new Database(join(home, 'queue.db'));
  expect(after.pragma('user_version', { simple: true })).toBe(99);
  after.pragma(`user_version = ${version}`);
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

test('what was set aside by a clock that was ahead is read once it is right', () => {
  let now = new Date('2027-11-21T08:00:00Z');
  store.close();
  const queue = openQueue(home, () => now);
  if (queue.kind !== 'open') throw new Error(queue.kind);
  store = createStore(queue.database, () => now);
  const listed = { ref: 'INV-7', version: '1' };
  store.advance({
    connector: 'erp',
    from: undefined,
    to: 'p1',
    readAt: now,
    documents: [],
    batches: [],
    gone: [],
    unread: [{ ...listed, detail: 'no answer' }],
  });
  const looked = () => ({
    due: store.dueSetAside('erp', 10),
    resting: [...store.restingSetAside('erp', [listed])],
  });
  expect(looked()).toEqual({ due: [], resting: ['INV-7'] });
  now = new Date('2026-11-21T08:00:00Z');
  expect(looked()).toEqual({ due: [listed], resting: [] });
});

test('what was set aside of a source is named by one of its documents, however many others have more', () => {
  const setAside = (connector: string, ...refs: string[]) =>
    store.advance({
      connector,
      from: undefined,
      to: 'p',
      readAt: clock(),
      documents: [],
      batches: [],
      unread: refs.map((ref) => ({ ref, version: null, detail: 'The server fails.' })),
    });
  setAside('crm', ...Array.from({ length: 1_000 }, (_, at) => `c-${at}`));
  setAside('erp', 'INV-7');
  const texts = setAsideTexts(store);
  expect(texts.get('crm')).toContain('1000 documents, the first of them: c-0');
  expect(texts.get('erp')).toBe('1 document: INV-7: The server fails.');
});
