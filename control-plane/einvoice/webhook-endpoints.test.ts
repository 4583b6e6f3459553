import { randomBytes, randomUUID } from 'node:crypto';
import { verify } from '@drawbridge/webhooks/signature.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlAt } from '../../test/kit/postgres.ts';
import { openAuditLog } from '../platform/audit/audit-log.ts';
import { openAuthenticator } from '../platform/auth/authenticator.ts';
import { createTenant, issueKey } from '../platform/auth/issue.ts';
import type { Environment } from '../platform/auth/principal.ts';
import { buildApp } from '../platform/http/app.ts';
import { type Listening, listen } from '../platform/http/server.ts';
import { openJobs } from '../platform/jobs/jobs.ts';
import { BytesUnderWay } from '../platform/limits/bytes-under-way.ts';
import { createMetrics } from '../platform/metrics/metrics.ts';
import { type Kit, type Receiver, startKit, startReceiver } from '../webhooks/delivery.kit.ts';
import { type Delivery, startDelivery } from '../webhooks/delivery.ts';
import { webhookEndpointRoutes } from '../webhooks/endpoints/routes.ts';
import { startReplays } from '../webhooks/replays.ts';
import { openTestDeliveries, type TestDeliveries } from '../webhooks/test-deliveries.ts';
import { errors } from './errors.ts';
import { webhookApi } from './webhook-api.ts';

let kit: Kit;
let delivery: Delivery;
let testDeliveries: TestDeliveries;
let receiver: Receiver;
let answer = 200;
const servers = {} as Record<Environment, Listening>;
const keys: Record<string, string> = {};
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  kit = await startKit(() => new Date());
  const { options } = kit;
  const { db, clock, random, log, metrics } = options;
  delivery = await startDelivery(options);
  testDeliveries = await openTestDeliveries({ db, clock, random });
  const jobs = await openJobs({ db, log, metrics, newClaimId: randomUUID });
  const replays = startReplays({ db, jobs, clock, log });
  receiver = await startReceiver((response) => void response.writeHead(answer).end('seen'));
  const keyring = await openAuthenticator({ db, clock, family: 'sk' });
  const stranger = await createTenant(db, 'Stranger', options);
  for (const environment of ['live', 'sandbox'] as const) {
    const request = { family: 'sk', environment, name: 'test' } as const;
    keys[environment] = (await issueKey(db, kit.tenantId, request, randomBytes)).text;
    keys[`${environment} stranger`] = (await issueKey(db, stranger, request, randomBytes)).text;
    const routes = webhookEndpointRoutes(webhookApi, { ...options, jobs, testDeliveries });
    const service = {
      name: 'einvoice',
      title: 'x',
      version: '1',
      description: 'x',
      routes,
      errors,
      authenticate: keyring.authenticate,
    };
    const app = buildApp([service], {
      bodies: new BytesUnderWay({ tenantMax: 1_000_000, allMax: 1_000_000 }),
      auditLog: openAuditLog({ db, clock, random }),
      environmentOf: () => environment,
      newRequestId: () => 'req',
      stopwatch: options.stopwatch,
      clock,
      log,
      metrics: createMetrics(),
      health: { checks: {}, metricsFrom: [] },
      checkReplies: true,
    });
    servers[environment] = await listen(app, { port: 0, host: '127.0.0.1' });
    closing.push(() => servers[environment].close(0));
  }
  closing.push(
    keyring.close,
    testDeliveries.close,
    () => replays.stop(5_000),
    jobs.close,
    () => delivery.stop(5_000),
    receiver.close,
    kit.stop,
  );
});
afterAll(async () => {
  for (const close of closing) await close();
});

// biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes, each looked at by its test
type Answer = { status: number; body: any };

async function call(
  line: string,
  body?: unknown,
  who = 'sandbox',
  more: Record<string, string> = {},
): Promise<Answer> {
  const [method = '', path = ''] = line.split(' ');
  const environment = who.split(' ')[0] as Environment;
  const response = await fetch(`${servers[environment].url}/v1/webhook-endpoints${path}`, {
    method,
    headers: { authorization: `Bearer ${keys[who]}`, 'content-type': 'application/json', ...more },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

async function make(over: object = {}): Promise<{ id: string; secret: string }> {
  const { status, body } = await call('POST ', { url: receiver.url, ...over });
  expect(status).toBe(201);
  return body;
}

test('an endpoint is made, read, changed, listed and removed; its secret is shown once', async () => {
  const { id, secret } = await make({ event_types: ['invoice.cleared'], description: 'books' });
  expect(secret).toMatch(/^whsec_/);
  const read = await call(`GET /${id}`);
  expect(read).toMatchObject({ status: 200, body: { state: 'active', description: 'books' } });
  expect(JSON.stringify(read.body)).not.toContain('whsec_');
  expect((await call(`GET /${id}`, undefined, 'live')).body).toEqual(read.body);
  const changed = await call(`PATCH /${id}`, { state: 'disabled', event_types: [] });
  expect(changed.body).toMatchObject({ state: 'disabled', disabled_reason: 'requested' });
  const page = await call('GET ?limit=1');
  expect(page.body).toMatchObject({ previous: null });
  expect(page.body.results).toHaveLength(1);
  expect((await call(`DELETE /${id}`)).status).toBe(204);
  expect(await call(`GET /${id}`)).toMatchObject({
    status: 404,
    body: { code: 'webhook_endpoint_not_found' },
  });
  const rows = await kit.options.db.tenant(kit.tenantId, (tx) =>
    tx.rows('select secrets from webhook_endpoint where id = $1', [id]),
  );
  expect(rows).toEqual([{ secrets: [] }]);
});

test('pages of endpoints follow each other without gaps or repeats', async () => {
  const made = [await make(), await make(), await make()].map(({ id }) => id);
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await call(`GET ?limit=2${cursor}`);
    seen.push(...body.results.map(({ id }: { id: string }) => id));
    if (body.next === null) break;
    cursor = `&cursor=${body.next}`;
  }
  expect(seen).toEqual(expect.arrayContaining(made));
  expect(new Set(seen).size).toBe(seen.length);
  for (const id of made) await call(`DELETE /${id}`);
});

test.each([
  ['live', { url: 'http://example.com/' }, 'url'],
  ['live', { url: 'https://127.0.0.1/' }, 'url'],
  ['live', { url: 'https://10.0.0.1/' }, 'url'],
  ['sandbox', { url: 'https://10.0.0.1/' }, 'url'],
  ['sandbox', { url: 'https://u:p@example.com/' }, 'url'],
  ['sandbox', {}, 'url'],
  ['sandbox', { url: 'https://example.com', event_types: ['message.sent'] }, 'event_types.0'],
  ['sandbox', { url: 'https://example.com', secret: 'mine' }, 'secret'],
])('at the %s address %j is refused', async (who, body, field) => {
  const { status, body: answered } = await call('POST ', body, who);
  expect(status).toBe(400);
  expect(Object.keys(answered.errors)).toEqual([field]);
});

test.each([
  'GET /ID',
  'PATCH /ID',
  'DELETE /ID',
  'POST /ID/rotate-secret',
  'POST /ID/test',
  'GET /ID/deliveries',
  'GET /ID/deliveries/DLV',
  'POST /ID/deliveries/DLV/resend',
  'POST /ID/replay',
])("%s of another tenant's endpoint is 404", async (line) => {
  const { id } = await make();
  const path = line.replace('ID', id).replace('DLV', `dlv_${'0'.repeat(26)}`);
  const since = { since: '2026-01-01T00:00:00Z' };
  const body = /replay/.test(line) ? since : /PATCH|rotate/.test(line) ? {} : undefined;
  expect((await call(path, body, 'sandbox stranger')).status).toBe(404);
  expect((await call(`GET /${id}`)).body.state).toBe('active');
  expect((await call('GET ', undefined, 'sandbox stranger')).body.results).toEqual([]);
  await call(`DELETE /${id}`);
});

test('a test event is signed and sent, also to a disabled endpoint, and its delivery is returned', async () => {
  const { id, secret } = await make({ event_types: ['invoice.cleared'] });
  await call(`PATCH /${id}`, { state: 'disabled' });
  const { status, body } = await call(`POST /${id}/test`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    event: 'webhook.test',
    state: 'delivered',
    attempts: [{ n: 1, status: 200, response_body: 'seen' }],
  });
  const got = receiver.received.at(-1)!;
  expect(got.headers['webhook-id']).toBe(body.event_id);
  expect(verify({ ...got, secrets: [secret], now: new Date() }).kind).toBe('verified');
  answer = 500;
  const failed = await call(`POST /${id}/test`);
  answer = 200;
  expect(failed.body).toMatchObject({ state: 'failed', next_attempt_at: null });
  await call(`DELETE /${id}`);
});

test('deliveries are listed by environment and state, and sent again on request', async () => {
  const { id } = await make();
  const events = await kit.events(['inv_1', 'inv_2', 'inv_3']);
  for (const event of events) await kit.delivery(id, event, 'delivered');
  const first = await call(`GET /${id}/deliveries?limit=2&state=delivered`);
  const rest = await call(`GET /${id}/deliveries?limit=2&cursor=${first.body.next}`);
  const all = [...first.body.results, ...rest.body.results];
  expect(new Set(all.map((row) => row.subject_id))).toEqual(new Set(['inv_1', 'inv_2', 'inv_3']));
  expect(all).toHaveLength(3);
  expect(all[0]).toMatchObject({ state: 'delivered', attempts: [{ n: 1, status: 200 }] });
  expect(rest.body.next).toBeNull();
  expect((await call(`GET /${id}/deliveries?state=failed`)).body.results).toEqual([]);
  expect((await call(`GET /${id}/deliveries`, undefined, 'live')).body.results).toEqual([]);

  const count = receiver.received.length;
  const one = all[0].id as string;
  const again = await call(`POST /${id}/deliveries/${one}/resend`);
  expect(again.status).toBe(202);
  await receiver.until(count + 1);
  expect(receiver.received.at(-1)!.headers['webhook-id']).toBe(all[0].event_id);
  const event = events.find((each) => each.id === all[0].event_id)!;
  await kit.delivery(id, event, 'delivered');
  const read = await call(`GET /${id}/deliveries/${one}`);
  expect(read.body.attempts).toMatchObject([{ n: 1 }, { n: 2 }]);
  expect((await call(`GET /${id}/deliveries/${one}`, undefined, 'live')).status).toBe(404);
  await call(`DELETE /${id}`);
});

test('deliveries to a disabled endpoint are held, and sent when it is enabled', async () => {
  const { id } = await make();
  answer = 500;
  const [event] = await kit.events(['inv_9']);
  await kit.delivery(id, event!, 'pending');
  answer = 200;
  await call(`PATCH /${id}`, { state: 'disabled' });
  const held = await call(`GET /${id}/deliveries?state=held`);
  expect(held.body.results).toMatchObject([{ state: 'held', next_attempt_at: null }]);
  expect((await call(`GET /${id}/deliveries?state=pending`)).body.results).toEqual([]);
  await call(`PATCH /${id}`, { state: 'active' });
  await kit.hurry(id);
  await kit.delivery(id, event!, 'delivered');
  await call(`DELETE /${id}`);
});

test('after a rotation the new secret signs at once, and the old one until its grace period ends', async () => {
  const { id, secret } = await make();
  const { status, body } = await call(`POST /${id}/rotate-secret`);
  expect(status).toBe(200);
  expect(body.secret).not.toBe(secret);
  expect(body.secrets).toMatchObject([{ expires_at: null }, { expires_at: expect.any(String) }]);
  const verified = async (key: string) => {
    await call(`POST /${id}/test`);
    const got = receiver.received.at(-1)!;
    return verify({ ...got, secrets: [key], now: new Date() }).kind;
  };
  expect(await verified(secret)).toBe('verified');
  expect(await verified(body.secret)).toBe('verified');
  const last = await call(`POST /${id}/rotate-secret`, { grace_s: 0 });
  expect(last.body.secrets).toHaveLength(1);
  const { secret: _, ...shown } = last.body;
  expect((await call(`GET /${id}`)).body).toEqual(shown);
  expect(await verified(body.secret)).toBe('refused');
  expect((await call(`POST /${id}/rotate-secret`, { grace_s: -1 })).status).toBe(400);
  await call(`DELETE /${id}`);
});

test('a tenant has at most 50 endpoints, also of those that are made at once', async () => {
  const add = () => call('POST ', { url: receiver.url }, 'sandbox stranger');
  const answers = await Promise.all(Array.from({ length: 53 }, add));
  const made = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status === 400);
  expect([made.length, refused.length]).toEqual([50, 3]);
  expect(refused[0]!.body.errors.url[0]).toContain('at most 50');
  for (const { body } of made) await call(`DELETE /${body.id}`, undefined, 'sandbox stranger');
});

test('what failed is replayed on request, once a key, and counted', async () => {
  const { id } = await make({ event_types: ['invoice.cleared', 'invoice.rejected'] });
  const since = new Date().toISOString();
  const cleared = await kit.events(['inv_1', 'inv_2'], { type: 'invoice.cleared' });
  const rejected = await kit.events(['inv_3'], { type: 'invoice.rejected' });
  const unwanted = await kit.events(['inv_4']);
  for (const event of [...cleared, ...rejected]) await kit.delivery(id, event, 'delivered');
  const giveUp = (eventId: string) =>
    sqlAt(
      kit.test.url,
      `update webhook_delivery set state = 'failed' where endpoint_id = $1 and event_id = $2`,
      [id, eventId],
    );
  await giveUp(cleared[0]!.id);
  await giveUp(rejected[0]!.id);
  const before = receiver.received.length;
  const replay = (body: object, headers = {}) =>
    call(`POST /${id}/replay`, { since, ...body }, 'sandbox', headers);
  const named = { events: ['invoice.cleared'] };
  const first = await replay(named, { 'idempotency-key': 'again' });
  expect(first).toMatchObject({
    status: 202,
    body: { endpoint_id: id, only: 'failed', count: 1, environment: 'sandbox', ...named },
  });
  expect((await replay(named, { 'idempotency-key': 'again' })).body).toEqual(first.body);
  expect((await replay({}, { 'idempotency-key': 'again' })).status).toBe(409);
  await receiver.until(before + 1);
  expect(receiver.received.at(-1)!.headers['webhook-id']).toBe(cleared[0]!.id);
  await kit.delivery(id, cleared[0]!, 'delivered');
  expect((await replay({ only: 'all', events: ['invoice.*'] })).body.count).toBe(3);
  await receiver.until(before + 4);
  for (const event of [...cleared, ...rejected]) await kit.delivery(id, event, 'delivered');
  expect((await replay({})).body.count).toBe(0);
  expect((await replay({ only: 'all', until: since })).status).toBe(400);
  const live = await call(`POST /${id}/replay`, { since, only: 'all' }, 'live');
  expect(live.body.count).toBe(0);
  const ids = receiver.received.slice(before).map(({ headers }) => headers['webhook-id']);
  expect(ids).not.toContain(unwanted[0]!.id);
  await call(`DELETE /${id}`);
});

test.each([
  [{}, 'since'],
  [{ since: '2099-01-01T00:00:00Z' }, 'since'],
  [{ since: '0000-01-01T00:00:00Z' }, 'since'],
  [{ since: '2026-01-01T00:00:00Z', until: '2026-01-01T00:00:00Z' }, 'since'],
  [{ since: '2026-01-01T00:00:00Z', until: 'now' }, 'until'],
  [{ since: '2026-01-01T00:00:00Z', only: 'some' }, 'only'],
  [{ since: '2026-01-01T00:00:00Z', events: ['message.sent'] }, 'events.0'],
])('a replay of %j is refused', async (body, field) => {
  const { id } = await make();
  const answered = await call(`POST /${id}/replay`, body);
  expect([answered.status, Object.keys(answered.body.errors)]).toEqual([400, [field]]);
  await call(`DELETE /${id}`);
});

test('no secret reaches the log', () => {
  expect(kit.logged.join('')).not.toContain('whsec_');
});
