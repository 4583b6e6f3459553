import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Caller, type Harness, startHarness } from '../harness.kit.ts';

let harness: Harness;
beforeAll(async () => {
  // The tests are the proxy: they alone say who the caller is.
  harness = await startHarness({ TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => harness?.stop());

const issue = (body: object, caller?: Caller) => harness.call('POST /v1/api-keys', body, caller);
const list = (key: string, from?: string) =>
  harness.call('GET /v1/invoices', undefined, {
    key,
    ...(from === undefined ? {} : { headers: { 'x-forwarded-for': from } }),
  });

test('a key is shown once, works within its scopes and its environment, and stops when revoked', async () => {
  const { status, body, headers } = await issue({ name: 'ERP', scopes: ['invoices:read'] });
  expect([status, headers.get('location')]).toEqual([201, `/v1/api-keys/${body.id}`]);
  expect(body.key).toMatch(/^sk_test_/);
  expect((await list(body.key)).status).toBe(200);
  const refused = await harness.call('GET /v1/connectors', undefined, { key: body.key });
  expect([refused.status, refused.body.code]).toEqual([403, 'not_permitted']);
  const live = await harness.call('GET /v1/invoices', undefined, {
    key: body.key,
    environment: 'live',
  });
  expect([live.status, live.body.code]).toEqual([401, 'wrong_environment']);

  const shown = await harness.call(`GET /v1/api-keys/${body.id}`);
  expect(shown.body).toMatchObject({ name: 'ERP', scopes: ['invoices:read'], revoked_at: null });
  const all = await harness.call('GET /v1/api-keys');
  expect(all.text).toContain(body.id);
  expect(shown.text + all.text).not.toContain(body.key);
  const inLive = await harness.call('GET /v1/api-keys', undefined, { environment: 'live' });
  expect(inLive.text).not.toContain(body.id);

  const revoke = `DELETE /v1/api-keys/${body.id}`;
  const elsewhere = [{ environment: 'live' }, { key: harness.other.keys.sandbox }] as const;
  for (const caller of elsewhere) {
    expect((await harness.call(revoke, undefined, caller)).status).toBe(404);
  }
  expect((await harness.call(revoke)).status).toBe(204);
  harness.advance(1_001);
  expect((await list(body.key)).body.code).toBe('revoked_credentials');
});

test('a repeat with the same Idempotency-Key makes no other key, and shows none', async () => {
  const caller = { headers: { 'idempotency-key': 'once' } };
  const [first, second] = [
    await issue({ name: 'once', scopes: ['*'] }, caller),
    await issue({ name: 'once', scopes: ['*'] }, caller),
  ];
  expect([second.status, second.body.id, second.body.key]).toEqual([201, first.body.id, null]);
});

test.each([
  ['an address on the list', ['203.0.113.0/24', '2001:db8::1'], '203.0.113.9', 200],
  ['an address beside it', ['203.0.113.0/24'], '203.0.114.9', 403],
  ['the last hop that is not ours', ['203.0.113.0/24'], '203.0.113.9, 198.51.100.1', 403],
  ['what the caller says of itself', ['203.0.113.9'], '203.0.113.9, 192.0.2.7', 403],
  ['IPv6', ['2001:db8::/32'], '2001:db8::7', 200],
  ['an IPv4 address as IPv6 writes it', ['::ffff:203.0.113.9'], '203.0.113.9', 200],
  ['a range of IPv4 as IPv6 writes it', ['::ffff:203.0.113.0/120'], '203.0.113.9', 200],
  ['an IPv4 caller as a socket writes it', ['203.0.113.9'], '::ffff:203.0.113.9', 200],
  ['every address', ['::/0'], '203.0.113.9', 200],
])('the allowlist holds %s', async (_, allowed_ips, from, status) => {
  const { body } = await issue({ name: 'narrow', scopes: ['*'], allowed_ips });
  expect((await list(body.key, from)).status).toBe(status);
});

test('addresses of IPv4 are kept and told as IPv4', async () => {
  const allowed_ips = ['::ffff:203.0.113.9', '::ffff:198.51.100.0/120'];
  const { body } = await issue({ name: 'mapped', scopes: ['*'], allowed_ips });
  expect(body.allowed_ips).toEqual(['203.0.113.9/32', '198.51.100.0/24']);
});

test('a key ends when it expires', async () => {
  const expires_at = new Date(harness.app.platform.clock().getTime() + 60_000).toISOString();
  const { body } = await issue({ name: 'brief', scopes: ['*'], expires_at });
  expect((await list(body.key)).status).toBe(200);
  harness.advance(60_000);
  expect((await list(body.key)).body.code).toBe('revoked_credentials');
});

test('nobody hands on or takes away more than he may do himself', async () => {
  const mine = { name: 'mine', scopes: ['keys:write', 'invoices:read'] };
  const { key } = (await issue(mine)).body;
  const strong = await issue({ name: 'strong', scopes: ['invoices:write'] }, { key });
  expect([strong.status, strong.body.code]).toEqual([403, 'scope_too_strong']);
  expect((await issue({ name: 'all', scopes: ['*'] }, { key })).status).toBe(403);
  expect((await issue({ name: 'weak', scopes: ['invoices:read'] }, { key })).status).toBe(201);
  const { body: other } = await issue({ name: 'other', scopes: ['*'] });
  expect((await harness.call(`DELETE /v1/api-keys/${other.id}`, undefined, { key })).status).toBe(
    403,
  );
});

const end = '2099-01-01T00:00:00Z';
const narrow = { allowed_ips: ['203.0.113.0/24', '2001:db8::/32'], expires_at: end };
test.each([
  ['the same addresses and end', narrow, 201],
  ['fewer', { allowed_ips: ['203.0.113.128/25'], expires_at: '2098-12-31T23:59:59Z' }, 201],
  ['one address', { allowed_ips: ['2001:db8::7'], expires_at: end }, 201],
  ['every address', { expires_at: end }, 400],
  ['a wider range', { allowed_ips: ['203.0.112.0/23'], expires_at: end }, 400],
  ['a range beside it', { allowed_ips: ['203.0.113.9', '198.51.100.0/24'], expires_at: end }, 400],
  ['every IPv4 address in IPv6', { allowed_ips: ['::ffff:0:0/96'], expires_at: end }, 400],
  ['no end', { allowed_ips: ['203.0.113.9'] }, 400],
  ['a later end', { allowed_ips: ['203.0.113.9'], expires_at: '2099-01-01T00:00:01Z' }, 400],
])('a key with an allowlist and an end issues one with %s: %#', async (_, wanted, status) => {
  const { body } = await issue({ name: 'issuer', scopes: ['*'], ...narrow });
  const caller = { key: body.key, headers: { 'x-forwarded-for': '203.0.113.9' } };
  const issued = await issue({ name: 'issued', scopes: ['*'], ...wanted }, caller);
  expect(issued.status, issued.text).toBe(status);
});

test.each([
  ['no scopes', { name: 'x', scopes: [] }],
  ['an unknown scope', { name: 'x', scopes: ['owners:write'] }],
  ['no range', { name: 'x', scopes: ['*'], allowed_ips: ['10.0.0.0/33'] }],
  ['a time that is over', { name: 'x', scopes: ['*'], expires_at: '2020-01-01T00:00:00Z' }],
  ['a field that there is not', { name: 'x', scopes: ['*'], role: 'owner' }],
])('%s is refused', async (_, body) => {
  expect((await issue(body)).status).toBe(400);
});

const patch = (id: string, body: object, caller?: Caller) =>
  harness.call(`PATCH /v1/api-keys/${id}`, body, caller);

test('a key is renamed, narrowed and given an end, and the node follows', async () => {
  const { body: issued } = await issue({ name: 'old', scopes: ['invoices:read'] });
  const from = '198.51.100.7';
  expect((await list(issued.key, from)).status).toBe(200);
  const expires_at = new Date(harness.app.platform.clock().getTime() + 60_000).toISOString();
  const allowed_ips = ['203.0.113.0/24'];
  const { status, body } = await patch(issued.id, { name: 'new', allowed_ips, expires_at });
  expect([status, body]).toMatchObject([
    200,
    { id: issued.id, name: 'new', allowed_ips, expires_at, scopes: ['invoices:read'] },
  ]);
  harness.advance(1_001);
  expect((await list(issued.key, from)).body.code).toBe('ip_not_allowed');
  expect((await list(issued.key, '203.0.113.9')).status).toBe(200);
  harness.advance(60_000);
  expect((await list(issued.key, '203.0.113.9')).body.code).toBe('revoked_credentials');
  expect((await patch(issued.id, { expires_at: null })).body).toMatchObject({
    name: 'new',
    expires_at: null,
  });
  const { results } = (await harness.call('GET /v1/audit-log?action=updateApiKey')).body;
  expect(results[1]).toMatchObject({
    subject: issued.id,
    before: { name: 'old', allowed_ips: [] },
    after: { name: 'new', allowed_ips },
  });
});

test.each([
  ['another permission', { scopes: ['*'] }, {}, 400],
  ['an end that is over', { expires_at: '2020-01-01T00:00:00Z' }, {}, 400],
  ['no range', { allowed_ips: ['10.0.0.0/33'] }, {}, 400],
  ['a key of the other environment', { name: 'x' }, { environment: 'live' as const }, 404],
])('%s is refused to a change', async (_, body, caller, status) => {
  const { body: issued } = await issue({ name: 'kept', scopes: ['*'] });
  expect((await patch(issued.id, body, caller)).status).toBe(status);
  const other = { key: harness.other.keys.sandbox };
  expect((await patch(issued.id, { name: 'x' }, other)).status).toBe(404);
  expect((await harness.call(`GET /v1/api-keys/${issued.id}`)).body.name).toBe('kept');
});

test('a key widens neither itself nor another, and changes none that may do more', async () => {
  const mine = { name: 'mine', scopes: ['keys:write', 'invoices:read'], ...narrow };
  const { body: own } = await issue(mine);
  const caller = { key: own.key, headers: { 'x-forwarded-for': '203.0.113.9' } };
  expect((await patch(own.id, { allowed_ips: [] }, caller)).body.errors).toHaveProperty(
    'allowed_ips',
  );
  expect((await patch(own.id, { expires_at: null }, caller)).body.errors).toHaveProperty(
    'expires_at',
  );
  expect((await patch(own.id, { name: 'renamed' }, caller)).status).toBe(200);
  const { body: strong } = await issue({ name: 'strong', scopes: ['*'] });
  expect((await patch(strong.id, { name: 'x' }, caller)).body.code).toBe('scope_too_strong');
});

test('a revoked key stays as it was', async () => {
  const { body: issued } = await issue({ name: 'gone', scopes: ['*'] });
  await harness.call(`DELETE /v1/api-keys/${issued.id}`);
  expect((await patch(issued.id, { name: 'x' })).body.code).toBe('api_key_revoked');
});
