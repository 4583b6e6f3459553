import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueKey } from '../../platform/auth/issue.ts';
import { revokeKey } from '../../platform/auth/store.ts';
import { readIdempotencyKey } from '../../platform/idempotency/key.ts';
import { goodRef } from '../erp.kit.ts';
import { type Answer, type Caller, type Harness, startHarness } from '../harness.kit.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ SUBMIT_LIMIT: '1000' });
});
afterAll(() => harness?.stop());

const good = () => ({ connector_id: harness.acme.connector, source_ref: goodRef('AE') });
const post = (body: unknown, caller?: Caller) => harness.call('POST /v1/invoices', body, caller);
const async = { headers: { prefer: 'respond-async' } };

async function made(): Promise<unknown> {
  const [row] = await harness.sql(
    `select (select count(*) from invoice) as invoices, (select count(*) from idempotency) as keys`,
  );
  return row;
}

/** Runs `act` and expects that it makes nothing. */
async function makingNothing(act: () => Promise<Answer>): Promise<Answer> {
  const before = await made();
  const answer = await act();
  expect(await made()).toEqual(before);
  return answer;
}

function expectError(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  expect(answer.body).toMatchObject({ detail: expect.any(String), request_id: expect.any(String) });
  expect(answer.headers.get('x-request-id')).toBe(answer.body.request_id);
  expect(answer.body).not.toHaveProperty('id');
  expect(answer.body.detail).toMatch(/^\S.{9,}/);
  expect(answer.text).not.toMatch(/\bat .*\.ts|undefined|\[object|sk_test_\w{20}/);
}

describe('a submission that is accepted', () => {
  test('makes one invoice, with its event', async () => {
    const before = (await made()) as { invoices: number };
    const { body } = await post(good());
    expect(await made()).toMatchObject({ invoices: before.invoices + 1 });
    const { body: events } = await harness.call(`GET ${body.links.events}`);
    expect(events.results[0]).toMatchObject({ event: 'invoice.received', elapsed_ms: 0 });
  });

  test('shows id, status, checks and links, and nothing of the document', async () => {
    const { status, body, headers } = await post(good());
    expect(status).toBe(202);
    expect(new Set(Object.keys(body))).toEqual(new Set(['id', 'status', 'checks', 'links']));
    expect(body.id).toMatch(/^inv_[0-9a-z]{26}$/);
    expect(['received', 'validating']).toContain(body.status);
    expect(body.checks).toEqual({ schema: 'passed', business_rules: 'passed' });
    expect(body.links).toEqual({
      self: `/v1/invoices/${body.id}`,
      events: `/v1/invoices/${body.id}/events`,
    });
    expect(headers.get('location')).toBe(body.links.self);
    expect(headers.has('idempotency-replayed')).toBe(false);
  });

  test.each([
    ['PINT-AE', 'AE', ['business_rules', 'schema']],
    ['BIS-3.0', 'BE', ['business_rules', 'schema']],
    ['PINT-MY', 'MY', ['authority_clearance', 'business_rules', 'schema']],
  ] as const)('of %s has its checks, all pending at first', async (profile, company, names) => {
    const { status, body } = await harness.submit(goodRef(company), { profile }, async);
    expect(status).toBe(202);
    expect(body.status).toBe('received');
    expect(body.checks).toEqual(Object.fromEntries(names.map((name) => [name, 'pending'])));
  });

  test('takes the profile of the connector, unless it names its own', async () => {
    const { body: own } = await harness.submit(goodRef('BE'), { profile: 'BIS-3.0' }, async);
    const { body: defaulted } = await harness.submit(goodRef('AE'), {}, async);
    expect((await harness.call(`GET /v1/invoices/${own.id}`)).body.profile).toBe('BIS-3.0');
    expect((await harness.call(`GET /v1/invoices/${defaulted.id}`)).body.profile).toBe('PINT-AE');
  });
});

test('a document that fails its checks answers 422 with id, status and errors', async () => {
  const ref = await harness.erp.add('AE', { customer: { TAX_NO: '1' } });
  const { status, body, headers } = await harness.submit(ref);
  expect(status).toBe(422);
  expect(body).toMatchObject({ id: expect.stringMatching(/^inv_/), status: 'rejected' });
  expect(body.errors.length).toBeGreaterThan(0);
  for (const error of body.errors) {
    expect(error).toMatchObject({
      field: expect.stringMatching(/^\/.*Invoice/),
      rule: expect.stringMatching(/^PINT-AE-/),
      message: expect.stringMatching(/\w+ \w+/),
      severity: 'fatal',
    });
  }
  expect(body).not.toHaveProperty('links');
  expect(headers.get('content-type')).toContain('application/json');
  const { body: kept } = await harness.call(`GET /v1/invoices/${body.id}`);
  expect(kept).toMatchObject({ status: 'rejected', errors: body.errors });
});

describe('a request that is wrong makes nothing', () => {
  const bodies: [name: string, raw: string | Uint8Array, code: string, detail: RegExp][] = [
    ['is cut short', '{"connector_id": "cnx_1"', 'malformed_json', /line 1, column 25/],
    ['is no JSON', 'connector_id=cnx_1', 'malformed_json', /line 1, column 1/],
    ['is empty', '', 'invalid_request', /body/],
    ['is not UTF-8', Buffer.from('{"source_ref":"\xff"}', 'latin1'), 'malformed_json', /UTF-8/],
    ['is an array', '[]', 'invalid_request', /object/],
    ['is null', 'null', 'invalid_request', /object/],
    ['holds NUL', '{"source_ref":"a\\u0000"}', 'invalid_request', /U\+0000/],
    ['holds half a character', '{"source_ref":"\\ud800"}', 'invalid_request', /surrogate/],
    ['is too deep', `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`, 'invalid_request', /deep/],
  ];
  test.each(bodies)('a body that %s', async (_, raw, code, detail) => {
    const answer = await makingNothing(() => post(undefined, { raw }));
    expectError(answer, 400, code);
    expect(answer.body.detail).toMatch(detail);
  });

  const fields: [name: string, over: object, field: string][] = [
    ['no connector_id', { connector_id: undefined }, 'connector_id'],
    ['no source_ref', { source_ref: undefined }, 'source_ref'],
    ['an empty source_ref', { source_ref: '' }, 'source_ref'],
    ['an empty connector_id', { connector_id: '' }, 'connector_id'],
    ['a source_ref of 513 characters', { source_ref: 'x'.repeat(513) }, 'source_ref'],
    ['a numeric source_ref', { source_ref: 42 }, 'source_ref'],
    ['a source_ref that is null', { source_ref: null }, 'source_ref'],
    ['a connector_id that is an object', { connector_id: { $ne: null } }, 'connector_id'],
    ['an unknown profile', { profile: 'PINT-SG' }, 'profile'],
    ['a profile in lower case', { profile: 'pint-ae' }, 'profile'],
    ['a profile that is a list', { profile: ['PINT-AE'] }, 'profile'],
    ['an unknown field', { invoice_xml: '<Invoice/>' }, 'invoice_xml'],
    ['a field of the prototype', { constructor: 1 }, 'constructor'],
  ];
  test.each(fields)('%s', async (_, over, field) => {
    const answer = await makingNothing(() => post({ ...good(), ...over }));
    expectError(answer, 400, 'invalid_request');
    expect(Object.keys(answer.body.errors)).toEqual([field]);
    expect(answer.body.detail).toContain(field);
  });

  test('every missing parameter is named at once', async () => {
    const answer = await makingNothing(() => post({}));
    expect(answer.body.errors).toEqual({
      connector_id: ['is required'],
      source_ref: ['is required'],
    });
  });

  test('XML in place of JSON', async () => {
    const caller = { raw: '<Invoice/>', headers: { 'content-type': 'application/xml' } };
    expectError(await makingNothing(() => post(undefined, caller)), 415, 'unsupported_media_type');
  });

  test('a body over the limit', async () => {
    const answer = await makingNothing(() => post({ ...good(), source_ref: 'x'.repeat(300_000) }));
    expectError(answer, 413, 'payload_too_large');
  });

  test.each([
    ['of 256 characters', 'k'.repeat(256)],
    ['that is empty', ''],
    ['of blanks', '   '],
    ['that is not ASCII', 'clé'],
    ['with an open quote', '"abc'],
  ])('an Idempotency-Key %s', async (_, key) => {
    const answer = await makingNothing(() => post(good(), { headers: { 'idempotency-key': key } }));
    expectError(answer, 400, 'invalid_request');
    expect(answer.body.detail).toContain('Idempotency-Key');
    expect(() => readIdempotencyKey(key)).toThrow();
  });

  test('a connector without a profile, and none named', async () => {
    const { body } = await harness.call('POST /v1/connectors', {
      pattern: 'database',
      kind: 'sqlite',
      name: 'Bare',
      settings: { file: 'nowhere.sqlite' },
    });
    const answer = await makingNothing(() => post({ ...good(), connector_id: body.id }));
    expectError(answer, 400, 'profile_required');
    expect(answer.body.errors).toHaveProperty('profile');
    expect(answer.body.detail).toMatch(/PINT-AE, PINT-MY, BIS-3\.0/);
  });
});

test('a connector of another tenant gives the same 404 as an unknown one', async () => {
  const shape = ({ status, text, body }: Answer, id: string) => [
    status,
    text.replaceAll(body.request_id, 'R').replaceAll(id, 'ID'),
  ];
  const theirs = harness.other.connector;
  const never = `cnx_${'0'.repeat(26)}`;
  const ask = (id: string) => makingNothing(() => post({ ...good(), connector_id: id }));
  const answer = await ask(theirs);
  expectError(answer, 404, 'connector_not_found');
  expect(shape(answer, theirs)).toEqual(shape(await ask(never), never));
  for (const odd of ["cnx_' or '1'='1", '../cnx', 'cnx_%', 'null']) {
    expectError(await ask(odd), 404, 'connector_not_found');
  }
});

describe('a key', () => {
  test.each([
    ['of the sandbox at the production address', 'live', 'sandbox'],
    ['of production at the sandbox address', 'sandbox', 'live'],
  ] as const)('%s is of the wrong environment', async (_, environment, of) => {
    const caller = { environment, key: harness.acme.keys[of] };
    expectError(await makingNothing(() => post(good(), caller)), 401, 'wrong_environment');
  });

  test.each([
    ['that is missing', null, 'missing_credentials'],
    ['that is none of ours', 'hello', 'invalid_credentials'],
    ['of the other service', `jc_test_${'0'.repeat(59)}`, 'invalid_credentials'],
    ['that is mistyped', `sk_test_${'0'.repeat(59)}`, 'invalid_credentials'],
  ])('%s is refused', async (_, key, code) => {
    const answer = await makingNothing(() => post(good(), { key }));
    expectError(answer, 401, code);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer /);
  });

  test('that was revoked is refused at once, also with an invalid body', async () => {
    const { db, random } = harness.app.platform;
    const request = { family: 'sk', environment: 'sandbox', name: 'short-lived' } as const;
    const key = await issueKey(db, harness.acme.id, request, random);
    expect((await post(good(), { key: key.text, ...async })).status).toBe(202);
    await db.tenant(harness.acme.id, (tx) => revokeKey(tx, harness.acme.id, key.id));
    harness.advance(1_000);
    expectError(await post(good(), { key: key.text }), 401, 'revoked_credentials');
    expectError(await post({}, { key: key.text }), 401, 'revoked_credentials');
  });

  test('without the permission may not submit', async () => {
    const { db, random } = harness.app.platform;
    const request = { family: 'sk', environment: 'sandbox', name: 'reader' } as const;
    const scopes = ['invoices:read'];
    const { text } = await issueKey(db, harness.acme.id, { ...request, scopes }, random);
    expectError(await makingNothing(() => post(good(), { key: text })), 403, 'not_permitted');
    expect((await harness.call('GET /v1/invoices', undefined, { key: text })).status).toBe(200);
  });
});

describe('the wait for the verdict', () => {
  test.each([
    ['respond-async', 202],
    ['wait=0', 202],
    ['RESPOND-ASYNC', 202],
    ['wait=30', 422],
    ['return=minimal; x=1, wait=9', 422],
    ['respond-async, wait=10', 422],
    ['wait=99999', 422],
    ['wait=-1', 422],
    ['wait=abc', 422],
    ['', 422],
  ])('`Prefer: %s` answers %i for a document that is rejected', async (prefer, expected) => {
    const { status, body } = await harness.submit('NO-SUCH', {}, { headers: { prefer } });
    expect(status).toBe(expected);
    if (expected === 202) expect(body.status).toBe('received');
    await harness.until(body.id, ['rejected']);
  });

  test('is not longer when the clock of the node is ahead of the database', async () => {
    harness.advance(3_600_000);
    expect((await harness.submit('NO-SUCH')).status).toBe(422);
    harness.advance(-3_600_000);
  });

  test('ends when the caller hangs up, and the invoice goes on', async () => {
    const giveUp = new AbortController();
    const key = { 'idempotency-key': 'hang-up' };
    const asking = harness.submit(goodRef('AE'), {}, { headers: key, signal: giveUp.signal });
    giveUp.abort();
    await expect(asking).rejects.toThrow();
    const { body } = await harness.submit(goodRef('AE'), {}, { headers: key });
    expect(body.id).toMatch(/^inv_/);
  });
});
