import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlAt, startDb, type TestDb } from '../../../test/kit/postgres.ts';
import { openDb } from '../db/database.ts';
import { cacheMs } from '../db/row-cache.ts';
import { makeKey, type NewKey, parseKey } from './api-key.ts';
import { type Authenticator, openAuthenticator } from './authenticator.ts';
import { createTenant, issueKey } from './issue.ts';
import type { RefusalCode } from './principal.ts';
import { listKeys, revokeKey } from './store.ts';

let kit: TestDb;
let keys: Authenticator;
let tenantId: string;
let now = new Date('2026-03-01T10:00:00Z');
const clock = () => now;

beforeAll(async () => {
  kit = await startDb();
  keys = await openAuthenticator({ db: kit.db, clock, family: 'sk' });
  tenantId = await createTenant(kit.db, 'Acme', { clock, random: randomBytes });
});
afterAll(async () => {
  await keys.close();
  await kit.stop();
});

const issue = (more = {}): Promise<NewKey> =>
  issueKey(
    kit.db,
    tenantId,
    { family: 'sk', environment: 'sandbox', name: 'k', ...more },
    randomBytes,
  );
const present = (authorization: string | undefined) =>
  keys.authenticate({ authorization, ip: '203.0.113.7', environment: 'sandbox' });

test('a key is accepted for its tenant, and only its hash is stored', async () => {
  const { text, id, shown } = await issue({ scopes: ['invoices:read'] });
  expect(await present(`Bearer ${text}`)).toEqual({
    kind: 'accepted',
    principal: { tenantId, environment: 'sandbox', id, scopes: ['invoices:read'], limits: {} },
  });
  expect(text.startsWith(shown.slice(0, -1))).toBe(true);
  const dump = JSON.stringify(await sqlAt(kit.url, 'table api_key'));
  expect(dump).not.toContain(text.slice(18));
});

const fresh = (family: 'sk' | 'jc'): string => makeKey(family, 'sandbox', randomBytes).text;
const flipped = (text: string): string =>
  text.slice(0, 30) + (text[30] === 'a' ? 'b' : 'a') + text.slice(31);

const refusals: readonly [string, () => Promise<string | undefined>, RefusalCode, RegExp][] = [
  ['no header', async () => undefined, 'missing_credentials', /Authorization: Bearer/],
  ['another scheme', async () => 'Basic abc', 'missing_credentials', /Bearer/],
  ['no key', async () => 'Bearer abc', 'invalid_credentials', /sk_test_/],
  [
    'a typo',
    async () => `Bearer ${flipped((await issue()).text)}`,
    'invalid_credentials',
    /checksum/,
  ],
  ['a key never issued', async () => `Bearer ${fresh('sk')}`, 'invalid_credentials', /not known/],
  [
    "the other service's key",
    async () => `Bearer ${fresh('jc')}`,
    'invalid_credentials',
    /messaging/,
  ],
  [
    'a live key at the sandbox',
    async () => `Bearer ${(await issue({ environment: 'live' })).text}`,
    'wrong_environment',
    /sandbox address/,
  ],
  [
    'an expired key',
    async () => `Bearer ${(await issue({ expiresAt: new Date('2026-03-01T09:59:59Z') })).text}`,
    'revoked_credentials',
    /expired/,
  ],
  [
    'a key used from elsewhere',
    async () => `Bearer ${(await issue({ allowedIps: ['198.51.100.0/24'] })).text}`,
    'ip_not_allowed',
    /address/,
  ],
];

test.each(refusals)('%s is refused', async (_, header, code, detail) => {
  const outcome = await present(await header());
  expect(outcome).toMatchObject({ kind: 'refused', code, detail: expect.stringMatching(detail) });
});

test('a key whose id is right and whose secret is not is refused', async () => {
  const real = await issue();
  const forged = makeKey('sk', 'sandbox', (size) =>
    size === 10 ? handleBytes(real.id) : randomBytes(size),
  );
  expect(forged.id).toBe(real.id);
  expect(await present(`Bearer ${forged.text}`)).toMatchObject({ code: 'invalid_credentials' });
});
const handleBytes = (id: string) =>
  Uint8Array.from(id.slice(4), (c) => '0123456789abcdefghjkmnpqrstvwxyz'.indexOf(c));

test('a revoked key is refused on every node at once, without waiting for the cache', async () => {
  const { text, id } = await issue();
  expect(await present(`Bearer ${text}`)).toMatchObject({ kind: 'accepted' });
  const otherNode = await openDb({ url: kit.appUrl, poolMax: 1 });
  const heard = new Promise<void>((done) => {
    void kit.db.listen('api_key', (payload) => payload === id && done());
  });
  expect(await otherNode.tenant(tenantId, (tx) => revokeKey(tx, tenantId, id))).toBe(true);
  await otherNode.close();
  await heard;
  expect(await present(`Bearer ${text}`)).toMatchObject({ code: 'revoked_credentials' });
});

test('a revocation whose notification is lost takes effect when the cached lookup expires', async () => {
  const { text, id } = await issue();
  expect(await present(`Bearer ${text}`)).toMatchObject({ kind: 'accepted' });
  await sqlAt(kit.url, 'update api_key set revoked_at = now() where id = $1', [id]);
  expect(await present(`Bearer ${text}`)).toMatchObject({ kind: 'accepted' });
  now = new Date(now.getTime() + cacheMs);
  expect(await present(`Bearer ${text}`)).toMatchObject({ code: 'revoked_credentials' });
});

test('the last use is stored when flushed', async () => {
  const { text, id } = await issue();
  await present(`Bearer ${text}`);
  await keys.flush();
  const rows = await kit.db.tenant(tenantId, (tx) => listKeys(tx, tenantId));
  expect(rows.find((row) => row.id === id)?.last_used_at).toEqual(now);
});

test('any change of one character of a key is noticed offline', () => {
  const { text } = makeKey('sk', 'live', randomBytes);
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.constantFrom(...'aZ09_'), (at, character) => {
      const changed = text.slice(0, at) + character + text.slice(at + 1);
      expect(parseKey(changed).kind === 'key').toBe(changed === text);
    }),
  );
});
