import { afterAll, beforeAll, expect, test } from 'vitest';
import { erpSettings, goodRef } from '../erp.kit.ts';
import { type Answer, type Caller, type Harness, startHarness } from '../harness.kit.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.stop());

let keys = 0;
const newKey = () => `key ${(keys += 1)}`;
const body = (over: object = {}) => ({
  connector_id: harness.acme.connector,
  source_ref: goodRef('AE'),
  ...over,
});
const post = (key: string, sent: object = body(), caller: Caller = {}) =>
  harness.call('POST /v1/invoices', sent, {
    ...caller,
    headers: { 'idempotency-key': key, ...caller.headers },
  });
const isReplay = ({ headers }: Answer) => headers.get('idempotency-replayed') === 'true';
const async = { headers: { prefer: 'respond-async' } };

async function invoices(): Promise<number> {
  const [row] = await harness.sql<{ n: number }>('select count(*)::int as n from invoice');
  return row!.n;
}

test('the same key with the same body answers with the same invoice and makes nothing', async () => {
  const key = newKey();
  const first = await post(key);
  const before = await invoices();
  const again = await post(key);
  expect([first.status, again.status]).toEqual([202, 202]);
  expect(again.body.id).toBe(first.body.id);
  expect([isReplay(first), isReplay(again)]).toEqual([false, true]);
  expect(await invoices()).toBe(before);
  const events = await harness.sql(
    `select 1 from webhook_event where subject_id = $1 and type = 'invoice.received'`,
    [first.body.id],
  );
  expect(events).toHaveLength(1);
});

test('members in another order, spaces and a quoted key are the same request', async () => {
  const key = newKey();
  const { connector_id, source_ref } = body();
  const first = await post(key);
  const raw = ` { "source_ref" : "${source_ref}",\n"connector_id":"${connector_id}" }`;
  const again = await post(`"${key}"`, undefined, { raw });
  expect(again.body.id).toBe(first.body.id);
  expect(isReplay(again)).toBe(true);
});

test.each([
  ['another document', { source_ref: 'OTHER' }],
  ['a profile where there was none', { profile: 'PINT-AE' }],
  ['a connector that does not exist', { connector_id: 'cnx_none' }],
])('%s under a used key answers 409 and makes nothing', async (_, over) => {
  const key = newKey();
  const first = await post(key, body(), async);
  const before = await invoices();
  const answer = await post(key, body(over));
  expect(answer.status).toBe(409);
  expect(answer.body).toMatchObject({ code: 'idempotency_payload_mismatch' });
  expect(answer.body).not.toHaveProperty('id');
  expect(answer.text).not.toContain(first.body.id);
  expect(isReplay(answer)).toBe(false);
  expect(await invoices()).toBe(before);
  expect((await post(key)).body.id).toBe(first.body.id);
});

test('twenty at the same time make one invoice, and all wait for its verdict', async () => {
  const key = newKey();
  const ref = await harness.erp.add('AE', { customer: { TAX_NO: '1' } });
  const before = await invoices();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => post(key, body({ source_ref: ref }))),
  );
  expect(new Set(answers.map(({ body: { id } }) => id)).size).toBe(1);
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(422));
  expect(new Set(answers.map(({ body: { errors } }) => JSON.stringify(errors))).size).toBe(1);
  expect(answers.filter(isReplay)).toHaveLength(19);
  expect(await invoices()).toBe(before + 1);
});

test('of twenty at the same time with two bodies, one body is accepted and the other refused', async () => {
  const key = newKey();
  const before = await invoices();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      post(key, body(n % 2 === 0 ? {} : { profile: 'PINT-AE' }), async),
    ),
  );
  const count = (status: number) => answers.filter((each) => each.status === status).length;
  expect([count(202), count(409)]).toEqual([10, 10]);
  expect(await invoices()).toBe(before + 1);
});

test('a replay of a rejected invoice answers 422 with the same errors', async () => {
  const key = newKey();
  const first = await post(key, body({ source_ref: 'NO-SUCH' }));
  const again = await post(key, body({ source_ref: 'NO-SUCH' }));
  expect([first.status, again.status]).toEqual([422, 422]);
  expect(again.body).toEqual(first.body);
  expect(isReplay(again)).toBe(true);
});

test('a key belongs to its tenant and its environment', async () => {
  const key = newKey();
  const live = { environment: 'live', headers: async.headers } as const;
  const other = { key: harness.other.keys.sandbox, ...async };
  const answers = [
    await post(key, body(), async),
    await post(key, body(), live),
    await post(key, body({ connector_id: harness.other.connector }), other),
  ];
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
  expect(answers.map(isReplay)).toEqual([false, false, false]);
  expect(new Set(answers.map(({ body: { id } }) => id)).size).toBe(3);
});

test('a refused request leaves its key unused', async () => {
  const key = newKey();
  expect((await post(key, { source_ref: 'x' })).status).toBe(400);
  expect((await post(key, body({ connector_id: 'cnx_none' }))).status).toBe(404);
  const answer = await post(key, body(), async);
  expect([answer.status, isReplay(answer)]).toEqual([202, false]);
});

test('a retry still finds its invoice when the connector is gone', async () => {
  const { body: connector } = await harness.call('POST /v1/connectors', {
    pattern: 'database',
    kind: 'sqlite',
    name: 'Passing',
    default_profile: 'PINT-AE',
    settings: erpSettings(harness.erp.file),
  });
  const sent = body({ connector_id: connector.id });
  const key = newKey();
  const first = await post(key, sent);
  await harness.call(`DELETE /v1/connectors/${connector.id}`);
  expect((await post(newKey(), sent)).status).toBe(404);
  const again = await post(key, sent);
  expect(again.body.id).toBe(first.body.id);
  expect(isReplay(again)).toBe(true);
});

test('without a key every request makes an invoice', async () => {
  const [one, two] = await Promise.all([harness.submit('NO-SUCH'), harness.submit('NO-SUCH')]);
  expect(one!.body.id).not.toBe(two!.body.id);
});
