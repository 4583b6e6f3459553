import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { verify, verifyStandard } from '@drawbridge/webhooks/signature.ts';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { sqlAt } from '../../test/kit/postgres.ts';
import {
  type Behaviour,
  eventOf,
  type Kit,
  ok,
  type Receiver,
  startKit,
  startNode,
  startReceiver,
} from './delivery.kit.ts';
import { type Delivery, type DeliveryOptions, startDelivery } from './delivery.ts';
import { pruneDeliveries } from './endpoint-queue-store.ts';
import { mintSecret, rotated } from './endpoint-secrets.ts';
import { findEndpoint, setSecrets } from './endpoint-store.ts';
import { addEvents, addTestEvent, type NewEvent } from './store.ts';

let kit: Kit;
let delivery: Delivery;
const receivers: Receiver[] = [];
const suspended = new Set<string>();

const start = (over: Partial<DeliveryOptions> = {}) =>
  startDelivery({
    ...kit.options,
    isSuspended: (tenantId) => suspended.has(tenantId),
    ...over,
  });

beforeAll(async () => {
  kit = await startKit(() => new Date());
  delivery = await start();
});
afterEach(async () => {
  await sqlAt(kit.test.url, `update webhook_endpoint set deleted_at = now()`);
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
});
afterAll(async () => {
  await delivery.stop(5_000);
  await kit.stop();
});

async function receiver(behave?: Behaviour): Promise<Receiver> {
  const started = await startReceiver(behave);
  receivers.push(started);
  return started;
}

const status =
  (...codes: number[]): Behaviour =>
  (response, _, nth) =>
    void response.writeHead(codes[Math.min(nth, codes.length) - 1]!).end();
const subjectsOf = ({ received }: Receiver) =>
  received.map(({ body }) => (JSON.parse(body) as { id: string }).id);
const attemptsOf = async (endpointId: string, event: NewEvent) => {
  const sql = 'select attempt from webhook_delivery where endpoint_id = $1 and event_id = $2';
  return (await sqlAt<{ attempt: number }>(kit.test.url, sql, [endpointId, event.id]))[0]?.attempt;
};
const keptBackSql = 'select event_id from webhook_delivery where endpoint_id = $1 and is_kept_back';
const stateOf = (endpointId: string) =>
  kit.options.db.tenant(kit.tenantId, (tx) =>
    findEndpoint(tx, kit.tenantId, 'einvoice', endpointId),
  );

test('an event arrives once, and can be verified in each of the three ways', async () => {
  const to = await receiver();
  const { id, secret } = await kit.endpoint(to.url);
  const [event] = await kit.events(['inv_1']);
  const { attempts } = await kit.delivery(id, event!, 'delivered');
  expect(to.received).toHaveLength(1);
  const [{ headers, body } = expect.fail('')] = to.received;
  const request = { body, headers, secrets: [secret], now: new Date() };
  expect(verify(request)).toMatchObject({ kind: 'verified', event: { id: 'inv_1' } });
  expect(verifyStandard(request).kind).toBe('verified');
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({ event: 'invoice.received' });
  expect(headers).toMatchObject({
    'webhook-id': event!.id,
    'x-environment': 'sandbox',
    'content-type': 'application/json',
  });
  expect(attempts).toMatchObject([{ n: 1, status: 200, error: null, response_body: 'thanks' }]);
  expect(attempts[0]!.response_head).toMatch(/^200\n/);
});

test('500, then 200: the retry has the same id, another signature, and the time it is signed', async () => {
  const to = await receiver(status(500, 200));
  const { id } = await kit.endpoint(to.url);
  const [event] = await kit.events(['inv_1']);
  const failed = await kit.delivery(id, event!, 'pending');
  const waitMs = failed.next_at!.getTime() - new Date(failed.attempts[0]!.at).getTime();
  expect(waitMs).toBeGreaterThanOrEqual(4_000);
  expect(waitMs).toBeLessThan(7_000);
  await kit.hurry(id);
  const { attempts } = await kit.delivery(id, event!, 'delivered');
  expect(attempts.map((attempt) => attempt.status)).toEqual([500, 200]);
  const [first, second] = to.received;
  expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
  expect(second!.headers['x-signature']).not.toBe(first!.headers['x-signature']);
  expect(new Date(second!.headers['x-signature-timestamp']!).getTime()).toBeGreaterThan(
    new Date(first!.headers['x-signature-timestamp']!).getTime(),
  );
});

test.each<[string, Behaviour, object]>([
  ['cuts the line', (response) => response.destroy(), { status: null, error: 'connection_lost' }],
  [
    'speaks no HTTP',
    (response) => void response.socket!.end('hello\r\n\r\n'),
    { status: null, error: 'bad_response' },
  ],
  [
    'redirects',
    (response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
    { status: 302, error: null },
  ],
  [
    'has endless headers',
    (response) => void response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end(),
    { status: null, error: 'bad_response' },
  ],
])('a receiver that %s is tried again later', async (_, behave, attempt) => {
  const to = await receiver(behave);
  const { id } = await kit.endpoint(to.url);
  const [event] = await kit.events(['inv_1']);
  const found = await kit.delivery(id, event!, 'pending');
  expect(found.attempts).toMatchObject([attempt]);
  expect(to.received).toHaveLength(1);
});

test('a receiver that hangs is tried again later', async () => {
  await delivery.stop(5_000);
  delivery = await start({ sendLimits: { totalMs: 500 } });
  const to = await receiver(() => {});
  const { id } = await kit.endpoint(to.url);
  const [event] = await kit.events(['inv_1']);
  const { attempts } = await kit.delivery(id, event!, 'pending');
  expect(attempts).toMatchObject([{ status: null, error: 'timeout' }]);
  await delivery.stop(5_000);
  delivery = await start();
});

test('of a huge answer 20 kB are read, and NUL bytes are accepted', async () => {
  const to = await receiver((response) => {
    response.writeHead(500);
    const flood = () => response.writable && response.write(Buffer.alloc(65_536), flood);
    flood();
  });
  const { id } = await kit.endpoint(to.url);
  const [event] = await kit.events(['inv_1']);
  const { attempts } = await kit.delivery(id, event!, 'pending');
  expect(attempts[0]).toMatchObject({ status: 500, response_body: '\ufffd'.repeat(20_480) });
});

test('a name that does not resolve, and a port nobody listens on', async () => {
  const [unknown, closed] = [
    await kit.endpoint('http://receiver.invalid/'),
    await kit.endpoint('http://127.0.0.1:1/'),
  ];
  const [event] = await kit.events(['inv_1']);
  expect((await kit.delivery(unknown.id, event!, 'pending')).attempts[0]?.error).toBe(
    'name_not_found',
  );
  // Port 1 belongs to another service: that URL is refused for good.
  expect((await kit.delivery(closed.id, event!, 'failed')).attempts[0]?.error).toBe(
    'address_refused',
  );
});

test('a live event never goes to this machine, and a refusal is not a failure of the endpoint', async () => {
  const to = await receiver();
  const { id } = await kit.endpoint(to.url);
  const named = await kit.endpoint('https://localhost.example.com:9443/');
  const [event] = await kit.events(['inv_1'], { environment: 'live' });
  const { attempts } = await kit.delivery(id, event!, 'failed');
  expect(attempts).toMatchObject([{ n: 1, error: 'address_refused', status: null }]);
  expect(to.received).toEqual([]);
  expect(await stateOf(id)).toMatchObject({ state: 'active', failing_since: null });
  expect(named.id).toBeTruthy();
});

test('410 disables: nothing more is sent, and the other endpoints get an event', async () => {
  const [gone, other] = [await receiver(status(410)), await receiver()];
  const { id } = await kit.endpoint(gone.url);
  await kit.endpoint(other.url, { event_types: ['endpoint.disabled'] });
  const [event] = await kit.events(['inv_1']);
  await kit.delivery(id, event!, 'failed');
  await other.until(1);
  expect(JSON.parse(other.received[0]!.body)).toMatchObject({
    event: 'endpoint.disabled',
    id,
    data: { reason: 'gone' },
  });
  expect(await stateOf(id)).toMatchObject({ state: 'disabled', disabled_reason: 'gone' });
  await kit.events(['inv_2']);
  expect(gone.received).toHaveLength(1);
});

test('429 with Retry-After: the event waits as asked, and so does the endpoint', async () => {
  const to = await receiver((response, _, nth) => {
    response.writeHead(nth === 1 ? 429 : 200, { 'retry-after': '2' }).end();
  });
  const { id } = await kit.endpoint(to.url);
  const [first] = await kit.events(['inv_1']);
  await kit.delivery(id, first!, 'pending');
  const [second] = await kit.events(['inv_2']);
  await kit.delivery(id, second!, 'delivered');
  expect(to.received[1]!.atMs - to.received[0]!.atMs).toBeGreaterThanOrEqual(1_990);
});

test('a later event waits for an earlier one of the same invoice, not for one of another', async () => {
  let isRefused = true;
  const to = await receiver((response, { body }) => {
    const isFirstInvoice = (JSON.parse(body) as { id: string }).id === 'inv_1';
    response.writeHead(isRefused && isFirstInvoice ? 500 : 200).end();
  });
  const { id } = await kit.endpoint(to.url);
  const [first, other, later] = await kit.events(['inv_1', 'inv_2', 'inv_1']);
  await kit.delivery(id, first!, 'pending');
  await kit.delivery(id, other!, 'delivered');
  const [last] = await kit.events(['inv_1']);
  const [another] = await kit.events(['inv_3']);
  await kit.delivery(id, another!, 'delivered');
  isRefused = false;
  await kit.hurry(id);
  await kit.delivery(id, last!, 'delivered');
  // The first may have been tried again meanwhile.
  const ids = to.received.map(({ headers }) => headers['webhook-id']);
  const ofFirstInvoice = ids.filter((each) => each !== other!.id && each !== another!.id);
  const triesOfFirst = Array<string>(ofFirstInvoice.length - 2).fill(first!.id);
  expect(ofFirstInvoice).toEqual([...triesOfFirst, later!.id, last!.id]);
  expect(triesOfFirst.length).toBeGreaterThan(1);
});

test('an event that fails again and again keeps later ones back while nobody is answered', async () => {
  const to = await receiver(status(500, 500, 500, 200));
  const { id } = await kit.endpoint(to.url);
  const [first, second, third] = await kit.events(['inv_1', 'inv_1', 'inv_1']);
  for (const attempts of [1, 2, 3]) {
    await expect.poll(() => attemptsOf(id, first!)).toBe(attempts);
    await kit.hurry(id);
  }
  await kit.delivery(id, third!, 'delivered');
  expect(to.received.map(({ headers }) => headers['webhook-id'])).toEqual(
    [first, first, first, first, second, third].map((event) => event!.id),
  );
});

test('a later event of a subject lets the first go, unless that has just failed', async () => {
  const to = await receiver(status(500, 500, 200));
  const { id } = await kit.endpoint(to.url);
  const [first] = await kit.events(['inv_1']);
  await kit.delivery(id, first!, 'pending');
  const [second] = await kit.events(['inv_1']);
  await expect
    .poll(() => sqlAt(kit.test.url, keptBackSql, [id]))
    .toMatchObject([{ event_id: second!.id }]);
  expect(to.received).toHaveLength(1);
  await sqlAt(
    kit.test.url,
    `update webhook_delivery set wake_after = now() - interval '61 seconds',
       next_at = now() + interval '5 hours' where endpoint_id = $1 and event_id = $2`,
    [id, first!.id],
  );
  const [third] = await kit.events(['inv_1']);
  await to.until(2);
  expect(to.received[1]!.headers['webhook-id']).toBe(first!.id);
  // That attempt was beside the schedule, which goes on as it was.
  await expect.poll(() => attemptsOf(id, first!)).toBe(2);
  const waiting = await kit.delivery(id, first!, 'pending');
  expect(waiting.next_at!.getTime() - Date.now()).toBeGreaterThan(4 * 3_600_000);
  await kit.hurry(id);
  await kit.delivery(id, third!, 'delivered');
  expect(to.received.slice(3).map(({ headers }) => headers['webhook-id'])).toEqual([
    second!.id,
    third!.id,
  ]);
});

test('an open breaker makes deliveries wait, without counting attempts', async () => {
  const to = await receiver(status(500));
  const { id } = await kit.endpoint(to.url);
  await kit.events(Array.from({ length: 100 }, (_, at) => `inv_${at}`));
  await expect.poll(() => stateOf(id)).toMatchObject({ breaker: { state: 'open' } });
  const [waiting] = await kit.events(['inv_last']);
  // A test passes the breaker; the one that waits was read with it, or before.
  const probe = eventOf('test', kit.options.clock);
  await kit.options.db.tenant(kit.tenantId, (tx) => addTestEvent(tx, kit.tenantId, id, probe));
  // Requests that were under way when it opened may arrive after it.
  const ids = () => to.received.map(({ headers }) => headers['webhook-id']);
  await expect.poll(ids).toContain(probe.id);
  expect(await attemptsOf(id, waiting!)).toBe(0);
  expect(to.received.length).toBeLessThan(100);
});

test('a test passes an open breaker also when as much waits as is read at once', async () => {
  const to = await receiver(status(500));
  const { id } = await kit.endpoint(to.url);
  await kit.events(Array.from({ length: 100 }, (_, at) => `inv_${at}`));
  await expect.poll(() => stateOf(id)).toMatchObject({ breaker: { state: 'open' } });
  const waiting = await kit.events(Array.from({ length: 300 }, (_, at) => `inv_more_${at}`));
  const count = to.received.length;
  const probe = eventOf('test', kit.options.clock);
  await kit.options.db.tenant(kit.tenantId, (tx) => addTestEvent(tx, kit.tenantId, id, probe));
  await to.until(count + 1);
  const sent = () => to.received.map(({ headers }) => headers['webhook-id']);
  await expect.poll(sent).toContain(probe.id);
  expect(sent().filter((each) => waiting.some((event) => event.id === each))).toEqual([]);
});

test('only what an endpoint asked for reaches it', async () => {
  const [cleared, all, messaging, live] = [
    await receiver(),
    await receiver(),
    await receiver(),
    await receiver(),
  ];
  await kit.endpoint(cleared.url, { event_types: ['invoice.cleared', 'wallet.*'] });
  await kit.endpoint(all.url, { event_types: ['invoice.*'] });
  await kit.endpoint(messaging.url, { service: 'messaging' });
  await kit.endpoint(live.url, { environment: 'live' });
  await kit.events(['inv_1']);
  await kit.events(['inv_2'], { type: 'invoice.cleared' });
  await Promise.all([cleared.until(1), all.until(2)]);
  expect(subjectsOf(cleared)).toEqual(['inv_2']);
  expect(messaging.received).toEqual([]);
  expect(live.received).toEqual([]);
});

test('after a rotation both secrets sign, until the old one ends', async () => {
  const to = await receiver();
  const { id, secret } = await kit.endpoint(to.url);
  const { db, seal, clock } = kit.options;
  const before = (await stateOf(id))!;
  const minted = mintSecret(id, { seal, clock, random: randomBytes });
  const rows = rotated(before.secrets, minted.row, 60, new Date());
  await db.tenant(kit.tenantId, (tx) => setSecrets(tx, kit.tenantId, id, rows));
  await kit.events(['inv_1']);
  await to.until(1);
  const [{ headers, body } = expect.fail('')] = to.received;
  for (const key of [secret, minted.secret]) {
    const request = { body, headers, secrets: [key], now: new Date() };
    expect([verify(request).kind, verifyStandard(request).kind]).toEqual(['verified', 'verified']);
  }
  expect(rotated(rows, rows[0]!, 0, new Date())).toHaveLength(1);
});

test('five days of failure disable an endpoint', async () => {
  const to = await receiver(status(500));
  const { id } = await kit.endpoint(to.url);
  await sqlAt(
    kit.test.url,
    `update webhook_endpoint set failing_since = now() - interval '121 hours' where id = $1`,
    [id],
  );
  const [event] = await kit.events(['inv_1']);
  await kit.delivery(id, event!, 'pending');
  await expect.poll(() => stateOf(id)).toMatchObject({ disabled_reason: 'failing' });
});

test('a rolled-back transaction sends nothing', async () => {
  const to = await receiver();
  await kit.endpoint(to.url);
  const work = kit.options.db.tenant(kit.tenantId, async (tx) => {
    await addEvents(tx, kit.tenantId, [eventOf('inv_lost', kit.options.clock)]);
    throw new Error('no');
  });
  await expect(work).rejects.toThrow('no');
  await kit.events(['inv_after']);
  await to.until(1);
  expect(subjectsOf(to)).toEqual(['inv_after']);
});

test('never more than 200 are signed in any second', async () => {
  const to = await receiver();
  await kit.endpoint(to.url);
  await kit.events(Array.from({ length: 500 }, (_, at) => `inv_${at}`));
  await to.until(500);
  const instants = to.received
    .map(({ headers }) => Date.parse(headers['x-signature-timestamp']!))
    .toSorted((a, b) => a - b);
  const most = instants.map((from) => instants.filter((at) => at >= from && at < from + 1_000));
  expect(Math.max(...most.map((within) => within.length))).toBeLessThanOrEqual(200);
});

test('two nodes share the endpoints: each has one owner, nothing comes twice', async () => {
  const other = await start();
  onTestFinished(() => other.stop(5_000));
  const to = await receiver();
  const ids: string[] = [];
  for (let at = 0; at < 6; at += 1) ids.push((await kit.endpoint(to.url)).id);
  const batches = Array.from({ length: 10 }, (_, batch) =>
    kit.events(Array.from({ length: 5 }, (__, at) => `inv_${batch}_${at}`)),
  );
  const events = (await Promise.all(batches)).flat();
  const undelivered = `select from webhook_delivery
    where endpoint_id = any ($1) and state <> 'delivered'`;
  await to.until(ids.length * events.length);
  await expect.poll(() => sqlAt(kit.test.url, undelivered, [ids])).toEqual([]);
  expect(to.received).toHaveLength(ids.length * events.length);
});

test('nothing is sent for a suspended tenant, and all once it goes on', async () => {
  const to = await receiver();
  const { id } = await kit.endpoint(to.url);
  suspended.add(kit.tenantId);
  const [event] = await kit.events(['inv_suspended']);
  // Claimed, so whatever is due would be sent.
  await expect
    .poll(() => sqlAt(kit.test.url, 'select from webhook_queue where endpoint_id = $1', [id]))
    .toHaveLength(1);
  await new Promise(setImmediate);
  const resumedAt = Date.now();
  suspended.delete(kit.tenantId);
  const { attempts } = await kit.delivery(id, event!, 'delivered');
  expect(attempts).toHaveLength(1);
  expect(new Date(attempts[0]!.at).getTime()).toBeGreaterThanOrEqual(resumedAt);
});

test('an endpoint that fails is not disabled for the time in which its tenant was suspended', async () => {
  const to = await receiver(status(500));
  const { id } = await kit.endpoint(to.url);
  await kit.events(['inv_failing']);
  await to.until(1);
  await expect.poll(() => stateOf(id)).toMatchObject({ failing_since: expect.any(Date) });
  const setSuspended = async (is: boolean) => {
    await sqlAt(kit.test.url, 'select set_tenant_suspended($1, $2)', [kit.tenantId, is]);
    if (is) suspended.add(kit.tenantId);
    else suspended.delete(kit.tenantId);
    await kit.hurry(id);
  };
  await setSuspended(true);
  await sqlAt(kit.test.url, `update tenant set suspended_at = now() - interval '6 days'`);
  await sqlAt(
    kit.test.url,
    `update webhook_endpoint set failing_since = now() - interval '7 days' where id = $1`,
    [id],
  );
  await setSuspended(false);
  await to.until(2);
  const failing = `select now() - failing_since < interval '25 hours' as is_short, state
    from webhook_endpoint where id = $1`;
  await expect
    .poll(() => sqlAt(kit.test.url, failing, [id]))
    .toEqual([{ is_short: true, state: 'active' }]);
});

test('old deliveries are forgotten, the events of invoices are not', async () => {
  const to = await receiver();
  const { id } = await kit.endpoint(to.url);
  const [event] = await kit.events(['inv_old']);
  await kit.delivery(id, event!, 'delivered');
  await sqlAt(
    kit.test.url,
    `update webhook_delivery set created_at = now() - interval '91 days',
       settled_at = now() - interval '91 days' where endpoint_id = $1`,
    [id],
  );
  const before = new Date(Date.now() - 90 * 86_400_000);
  expect(await kit.options.db.system((tx) => pruneDeliveries(tx, before, 1_000))).toBe(1);
  const left = await sqlAt(
    kit.test.url,
    `select (select count(*)::int from webhook_event where id = $1) as events,
       (select count(*)::int from webhook_attempt where event_id = $1) as attempts`,
    [event!.id],
  );
  expect(left).toEqual([{ events: 1, attempts: 0 }]);
});

test('what is pending is never forgotten, nor an event that another delivery needs', async () => {
  const tenant = randomUUID();
  const old = '2026-01-01T00:00:00Z';
  await sqlAt(kit.test.url, "insert into tenant (id, name) values ($1, 'Acme')", [tenant]);
  await sqlAt(
    kit.test.url,
    `insert into webhook_endpoint (tenant_id, id, service, url, secrets, deleted_at)
     select $1, id, 'messaging', 'https://a.example', '[]', deleted_at
     from (values ('a', null), ('b', null), ('gone', $2::timestamptz)) as e (id, deleted_at)`,
    [tenant, old],
  );
  await sqlAt(
    kit.test.url,
    `insert into webhook_event (tenant_id, id, environment, service, type, subject_id, payload, created_at)
     select $1, id, 'live', 'messaging', 'message.sent', 's', '{}', $2
     from unnest(array['shared', 'sent', 'waiting', 'late', 'unwanted']) as id`,
    [tenant, old],
  );
  await sqlAt(
    kit.test.url,
    `insert into webhook_delivery
       (tenant_id, endpoint_id, environment, event_id, subject_id, state, created_at, settled_at, next_at)
     select $1, endpoint, 'live', event, 's', state, $2::timestamptz, settled, 'infinity'
     from (values ('a', 'shared', 'delivered', $2::timestamptz), ('b', 'shared', 'pending', null),
       ('a', 'sent', 'failed', $2), ('b', 'sent', 'delivered', $2), ('a', 'waiting', 'pending', null),
       ('a', 'late', 'delivered', '2026-03-01T00:00:00Z'), ('gone', 'unwanted', 'pending', null)
     ) as d (endpoint, event, state, settled)`,
    [tenant, old],
  );
  const before = new Date('2026-02-01T00:00:00Z');
  while ((await kit.options.db.system((tx) => pruneDeliveries(tx, before, 1))) > 0);
  const left = await sqlAt(
    kit.test.url,
    `select e.id, (select array_agg(d.endpoint_id order by 1) from webhook_delivery d
       where d.tenant_id = e.tenant_id and d.event_id = e.id) as endpoints
     from webhook_event e where e.tenant_id = $1 order by e.id`,
    [tenant],
  );
  expect(left).toEqual([
    { id: 'late', endpoints: ['a'] },
    { id: 'shared', endpoints: ['b'] },
    { id: 'waiting', endpoints: ['a'] },
  ]);
});

test('kill -9 of a delivering process loses nothing; a repeat has the same id', async () => {
  await delivery.stop(5_000);
  let isHolding = true;
  const to = await receiver((response, received, nth) => {
    // Some are never answered: under way when the process dies.
    if (!isHolding || nth % 3 > 0) ok(response, received, nth);
  });
  const { id } = await kit.endpoint(to.url);
  const child = await startNode(kit);
  const events = await kit.events(Array.from({ length: 150 }, (_, at) => `inv_${at}`));
  await to.until(60);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const before = to.received.length;
  isHolding = false;
  delivery = await start();
  for (const event of events) await kit.delivery(id, event, 'delivered');
  const ids = to.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids)).toEqual(new Set(events.map((event) => event.id)));
  expect(ids.length).toBeGreaterThan(events.length); // some did come twice
  expect(before).toBeLessThan(events.length);
}, 40_000);
