import { Erp } from '@drawbridge/connectors/http/erp.fixture.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readChanges, setAsideAfterFailures } from './read-changes.ts';
import { openReader, type TestReader } from './sources.kit.ts';

const never = new AbortController().signal;
const minuteMs = 60_000;
const diskFull = () => {
  throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
};

describe('documents of an API', () => {
  let erp: Erp;
  let reader: TestReader;
  let now: Date;
  /** Refs that the server fails, each time. */
  const failing = new Set<string>();
  let isAway: boolean;

  beforeEach(async () => {
    now = new Date('2026-02-01T08:00:00Z');
    failing.clear();
    isAway = false;
    erp = new Erp();
    erp.before = ({ url = '' }, response) => {
      const number = new URL(url, 'http://erp').searchParams.get('number') ?? '';
      if (!isAway && !failing.has(number)) return false;
      response.writeHead(500).end('{}');
      return true;
    };
    await erp.start();
    const list = {
      path: '/invoices',
      records: '$.data',
      ref: '$.number',
      paging: { by: 'cursor', parameter: 'after', next: '$.next' },
      changes: {},
    };
    const read = { path: '/invoices?number={ref}', record: '$.data' };
    reader = openReader('http', { url: erp.url, list, read }, () => now);
  });
  afterEach(async () => {
    await reader.close();
    await erp.stop();
  });

  const put = (...numbers: string[]) => {
    for (const number of numbers) erp.put(number, JSON.stringify({ number, total: '1' }));
  };
  /** One round of a running agent. */
  const round = async () => {
    now = new Date(now.getTime() + minuteMs);
    const outcome = await readChanges(reader.context, 'erp', never);
    return { kind: outcome.kind, sent: reader.taken() };
  };

  /** More rounds than the overlap has minutes, so that no round begins at the beginning. */
  const rounds = async (count = 15) => {
    for (let done = 0; done < count; done += 1) await round();
  };

  test('are read again after winding back while the agent runs', async () => {
    put('A');
    await rounds();
    const before = now;
    put('B');
    expect(await round()).toMatchObject({ sent: ['B'] });
    await rounds();
    reader.store.rewind('erp', before, { sendAgain: true });
    expect((await round()).sent).toContain('B');
    expect((await round()).sent).toEqual([]);
  });

  test.each(['is none', 'ends'])(
    'that were listed while room to store them %s are read once there is',
    async (how) => {
      put('A');
      await rounds();
      put('B');
      const full =
        how === 'is none'
          ? { ...reader.context, mayRead: () => false }
          : { ...reader.context, store: { ...reader.store, advance: diskFull } };
      await readChanges(full, 'erp', never).catch(() => undefined);
      expect(reader.taken()).toEqual([]);
      expect((await round()).sent).toEqual(['B']);
    },
  );

  test('that the server always fails are set aside, and the others go on', async () => {
    failing.add('B');
    put('A', 'B', 'C');
    expect(await round()).toEqual({ kind: 'read', sent: ['A', 'C'] });
    expect(reader.store.setAside()).toMatchObject([
      { connector: 'erp', ref: 'B', detail: expect.stringContaining('answered 500') },
    ]);
    put('D');
    expect(await round()).toEqual({ kind: 'read', sent: ['D'] });
  });

  test('that were set aside are read again later, and are set aside no more', async () => {
    failing.add('B');
    put('A', 'B');
    await round();
    failing.clear();
    const sent: string[] = [];
    for (let minute = 0; minute < 10; minute += 1) sent.push(...(await round()).sent);
    expect(sent).toEqual(['B']);
    expect(reader.store.setAside()).toEqual([]);
  });

  test('that were set aside are asked for more and more seldom, and at once when a person says so', async () => {
    failing.add('B');
    put('A', 'B');
    const asked = () => erp.requests.filter(({ url }) => url.includes('number=B')).length;
    for (let minute = 0; minute < 120; minute += 1) await round();
    expect(asked()).toBeLessThan(15);
    const before = asked();
    failing.clear();
    reader.store.retrySetAside('erp');
    expect((await round()).sent).toEqual(['B']);
    expect(asked()).toBe(before + 1);
  });

  test('are not set aside for a server that is away for a while', async () => {
    put('A', 'B');
    isAway = true;
    expect(await round()).toEqual({ kind: 'unreadable', sent: [] });
    expect(reader.store.setAside()).toEqual([]);
    isAway = false;
    expect(await round()).toEqual({ kind: 'read', sent: ['A', 'B'] });
  });

  test('are not set aside by the first failure of an outage, however near the one before was', async () => {
    put('A', 'B');
    for (let outage = 0; outage < setAsideAfterFailures; outage += 1) {
      failing.add('A').add('B');
      for (let attempt = 1; attempt < setAsideAfterFailures; attempt += 1) {
        expect((await round()).kind).toBe('unreadable');
      }
      failing.clear();
      expect((await round()).kind).toBe('read');
    }
    expect(reader.store.setAside()).toEqual([]);
  });

  test('that are failed alone are set aside once the server has failed them several times', async () => {
    put('A');
    await rounds();
    reader.taken();
    failing.add('B');
    put('B');
    for (let attempt = 1; attempt < setAsideAfterFailures; attempt += 1) {
      expect((await round()).kind).toBe('unreadable');
    }
    expect(await round()).toEqual({ kind: 'read', sent: [] });
    expect(reader.store.setAside()).toMatchObject([{ ref: 'B' }]);
    put('C');
    expect((await round()).sent).toEqual(['C']);
    failing.clear();
    put('B');
    expect((await round()).sent).toEqual(['B']);
    expect(reader.store.setAside()).toEqual([]);
  });
});
