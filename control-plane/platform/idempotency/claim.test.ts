import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDb, type TestDb } from '../../../test/kit/postgres.ts';
import { claimKeys, type KeyedRequest } from './claim.ts';
import { canonicalJson, fingerprint } from './fingerprint.ts';
import { readIdempotencyKey } from './key.ts';

let kit: TestDb;
beforeAll(async () => {
  kit = await startDb();
});
afterAll(() => kit.stop());

test.each([
  [undefined, undefined],
  ['abc', 'abc'],
  [' a b ', 'a b'],
  ['"abc"', 'abc'],
  ['"a\\"b\\\\c"', 'a"b\\c'],
  ['x'.repeat(255), 'x'.repeat(255)],
])('the header %j is the key %j', (header, key) => {
  expect(readIdempotencyKey(header)).toBe(key);
});

test.each(['x'.repeat(256), '', '""', '"abc', '"a"b"', 'ä', 'a\tb'])('%j is no key', (header) => {
  expect(() => readIdempotencyKey(header)).toThrow('printable ASCII');
});

test('a fingerprint ignores the order of members, and nothing else', () => {
  expect(fingerprint({ a: 1, b: [{ c: 2, d: 3 }] })).toEqual(
    fingerprint({ b: [{ d: 3, c: 2 }], a: 1 }),
  );
  expect(fingerprint({ a: [1, 2] })).not.toEqual(fingerprint({ a: [2, 1] }));
  expect(fingerprint({ a: '1' })).not.toEqual(fingerprint({ a: 1 }));
  expect(fingerprint({ a: null })).not.toEqual(fingerprint({}));
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(JSON.parse(canonicalJson(JSON.parse(text)))).toEqual(JSON.parse(text));
    }),
  );
});

const request = (key: string, madeId: string, body: unknown = {}): KeyedRequest => {
  return { environment: 'live', route: 'POST /x', key, fingerprint: fingerprint(body), madeId };
};
const claim = (tenant: string, ...requests: KeyedRequest[]) =>
  kit.db.tenant(tenant, (tx) => claimKeys(tx, tenant, requests));

test('the first is fresh, an identical one a replay, another payload a mismatch', async () => {
  const tenant = randomUUID();
  expect(await claim(tenant, request('k', 'm1', { n: 1 }))).toEqual([{ kind: 'fresh' }]);
  expect(
    await claim(
      tenant,
      request('k', 'm2', { n: 1 }),
      request('k', 'm3', { n: 2 }),
      request('other', 'm4', { n: 1 }),
      { ...request('k', 'm5', { n: 1 }), environment: 'sandbox' },
      { ...request('k', 'm6', { n: 1 }), route: 'POST /y' },
    ),
  ).toEqual([
    { kind: 'replay', madeId: 'm1' },
    { kind: 'mismatch' },
    { kind: 'fresh' },
    { kind: 'fresh' },
    { kind: 'fresh' },
  ]);
  expect(await claim(randomUUID(), request('k', 'm7'))).toEqual([{ kind: 'fresh' }]);
});

test('of two with one key in a batch the first is fresh; a rollback claims nothing', async () => {
  const tenant = randomUUID();
  const failing = kit.db.tenant(tenant, async (tx) => {
    await claimKeys(tx, tenant, [request('k', 'lost')]);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await claim(tenant, request('k', 'm1'), request('k', 'm2'))).toEqual([
    { kind: 'fresh' },
    { kind: 'replay', madeId: 'm1' },
  ]);
});

test('of many at the same time exactly one is fresh, and the others are replays', async () => {
  const tenant = randomUUID();
  const batches = Array.from({ length: 8 }, (_, n) => {
    const keys = Array.from({ length: 20 }, (_, k) => request(`k${k}`, `made ${n} ${k}`));
    return claim(tenant, ...(n % 2 === 0 ? keys : keys.reverse()));
  });
  const verdicts = (await Promise.all(batches)).flat();
  expect(verdicts.filter(({ kind }) => kind === 'fresh')).toHaveLength(20);
  expect(verdicts.filter(({ kind }) => kind === 'replay')).toHaveLength(140);
});
