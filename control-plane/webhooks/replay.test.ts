import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { replayLimits } from '@drawbridge/webhooks/replay.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sqlAt } from '../../test/kit/postgres.ts';
import { newId } from '../platform/ids.ts';
import { type Jobs, openJobs } from '../platform/jobs/jobs.ts';
import type { Worker } from '../platform/jobs/worker.ts';
import {
  eventOf,
  type Kit,
  ok,
  type Receiver,
  startKit,
  startNode,
  startReceiver,
} from './delivery.kit.ts';
import { type Delivery, startDelivery } from './delivery.ts';
import { changeEndpoint } from './endpoint-store.ts';
import { orderReplay, startReplays } from './replays.ts';
import type { NewEvent } from './store.ts';

let kit: Kit;
let jobs: Jobs;
let receiver: Receiver;
let behave = ok;
const running: { readonly delivery: Delivery; readonly replays: Worker }[] = [];

beforeAll(async () => {
  kit = await startKit(() => new Date());
  const { db, log, metrics } = kit.options;
  jobs = await openJobs({ db, log, metrics, newClaimId: randomUUID });
  receiver = await startReceiver((...call) => behave(...call));
});
afterEach(async () => {
  for (const { delivery, replays } of running.splice(0)) {
    await Promise.all([delivery.stop(5_000), replays.stop(5_000)]);
  }
  await sqlAt(kit.test.url, 'update webhook_endpoint set deleted_at = now()');
  await sqlAt(kit.test.url, 'truncate webhook_event, webhook_delivery');
  behave = ok;
  receiver.received.length = 0;
});
afterAll(async () => {
  await receiver.close();
  await jobs.close();
  await kit.stop();
});

/** Delivers and replays in this process, as one more node. */
async function start(): Promise<void> {
  const { db, clock, log } = kit.options;
  const delivery = await startDelivery(kit.options);
  running.push({ delivery, replays: startReplays({ db, jobs, clock, log }) });
}

const seconds = (count: number) => count * 1_000;

/** Events that happened `agoMs` ago, a millisecond apart, settled like this at the endpoint. */
async function past(
  endpointId: string,
  subjects: readonly string[],
  { state = 'delivered', agoMs = seconds(60) } = {},
): Promise<NewEvent[]> {
  const from = Date.now() - agoMs;
  const events = subjects.map((subject, n) => eventOf(subject, () => new Date(from + n)));
  await sqlAt(
    kit.test.url,
    `with event as (
       insert into webhook_event (tenant_id, id, environment, service, type, subject_id, payload,
         created_at)
       select $1, id, 'sandbox', 'einvoice', 'invoice.received', subject, '{"event":"x"}', now()
       from unnest($3::text[], $4::text[]) as e (id, subject)
     )
     insert into webhook_delivery (tenant_id, endpoint_id, environment, event_id, subject_id, state,
       attempt, is_fresh)
     select $1, $2, 'sandbox', id, subject, $5, 1, false
     from unnest($3::text[], $4::text[]) as e (id, subject)`,
    [
      kit.tenantId,
      endpointId,
      events.map(({ id }) => id),
      events.map(({ subject_id }) => subject_id),
      state,
    ],
  );
  return events;
}

function replay(endpointId: string, onlyFailed = false, since = new Date(Date.now() - 600_000)) {
  const { db, clock } = kit.options;
  const id = newId('rpl', clock, randomBytes);
  const { tenantId } = kit;
  const order = {
    id,
    tenantId,
    endpointId,
    environment: 'sandbox',
    since,
    until: clock(),
    events: [],
    onlyFailed,
  } as const;
  return db.tenant(tenantId, (tx) => orderReplay(tx, order, { jobs, clock }));
}

const receivedIds = () => receiver.received.map(({ headers }) => headers['webhook-id']!);

/** Ids by subject in the order in which each first came. */
function bySubject(events: readonly NewEvent[], ids: readonly string[]): Map<string, string[]> {
  const subjects = new Map(events.map(({ id, subject_id }) => [id, subject_id]));
  return Map.groupBy(new Set(ids), (id) => subjects.get(id) ?? '');
}

const numbered = (count: number, of: number) =>
  Array.from({ length: count }, (_, n) => `inv_${n % of}`);

test('a replay goes on after kill -9 of its process; each invoice gets its events in order', async () => {
  const { id } = await kit.endpoint(receiver.url);
  const events = await past(id, numbered(700, 250));
  const node = await startNode(kit);
  expect(await replay(id)).toMatchObject({ kind: 'ordered', replay: { count: 700 } });
  await receiver.until(250);
  node.kill('SIGKILL');
  await once(node, 'exit');
  expect(receiver.received.length).toBeLessThan(700);
  await start();
  await expect.poll(() => new Set(receivedIds()).size, { timeout: 40_000 }).toBe(events.length);
  const all = events.map((event) => event.id);
  expect(bySubject(events, receivedIds())).toEqual(bySubject(events, all));
  // What the dead process had sent and not yet saved comes again; nothing else does.
  const times = [...Map.groupBy(receivedIds(), (each) => each).values()].map((each) => each.length);
  expect(Math.max(...times)).toBeLessThanOrEqual(2);
}, 60_000);

test('two nodes share a replay, and send each event once', async () => {
  const { id } = await kit.endpoint(receiver.url);
  const events = await past(id, numbered(450, 100));
  await Promise.all([start(), start()]);
  await replay(id);
  await receiver.until(events.length);
  const leftSql = `select from webhook_delivery where endpoint_id = $1 and state = 'pending'`;
  await expect.poll(() => sqlAt(kit.test.url, leftSql, [id])).toEqual([]);
  expect(receivedIds()).toHaveLength(events.length);
  const all = events.map((event) => event.id);
  expect(bySubject(events, receivedIds())).toEqual(bySubject(events, all));
}, 30_000);

test('only what failed or was set aside is replayed, and it is not what is about to be sent', async () => {
  const { id } = await kit.endpoint(receiver.url);
  const [failed] = await past(id, ['inv_1'], { state: 'failed' });
  await past(id, ['inv_2']);
  const [aside] = await past(id, ['inv_3'], { state: 'pending' });
  await sqlAt(
    kit.test.url,
    `update webhook_delivery set set_aside_at = now(), next_at = now() + interval '5 hours'
     where event_id = $1`,
    [aside!.id],
  );
  await past(id, ['inv_4'], { state: 'failed', agoMs: seconds(700) }); // too long ago
  await sqlAt(kit.test.url, `update webhook_endpoint set state = 'disabled' where id = $1`, [id]);
  expect(await replay(id, true)).toMatchObject({ replay: { count: 2 } });
  await start();
  const dueSql = `select from webhook_delivery where endpoint_id = $1 and next_at <= now()
    and state = 'pending' and set_aside_at is null`;
  await expect.poll(async () => (await sqlAt(kit.test.url, dueSql, [id])).length).toBe(2);
  expect(await replay(id, true)).toMatchObject({ replay: { count: 0 } });
  expect(receiver.received).toEqual([]); // it is disabled
  await kit.options.db.tenant(kit.tenantId, (tx) =>
    changeEndpoint(tx, kit.tenantId, id, {
      url: null,
      event_types: null,
      description: null,
      state: 'active',
    }),
  );
  await receiver.until(2);
  expect(new Set(receivedIds())).toEqual(new Set([failed!.id, aside!.id]));
});

test('what happened while an endpoint was disabled takes its place among what it had', async () => {
  const { id } = await kit.endpoint(receiver.url);
  const events = await past(id, numbered(40, 4));
  const missing = events.filter((_, n) => n % 3 === 1);
  await sqlAt(
    kit.test.url,
    'delete from webhook_delivery where endpoint_id = $1 and event_id = any ($2)',
    [id, missing.map((event) => event.id)],
  );
  expect(await replay(id, true)).toMatchObject({ replay: { count: 0 } });
  expect(await replay(id)).toMatchObject({ replay: { count: 40 } });
  await start();
  await receiver.until(40);
  const all = events.map((event) => event.id);
  expect(bySubject(events, receivedIds())).toEqual(bySubject(events, all));
});

test('a replay does not hold up new events', async () => {
  const { id } = await kit.endpoint(receiver.url);
  await past(id, numbered(1_000, 1_000));
  await start();
  await replay(id);
  await receiver.until(50);
  const fresh = await kit.events(numbered(20, 20).map((name) => `new_${name}`));
  for (const event of fresh) await kit.delivery(id, event, 'delivered');
  expect(receiver.received.length).toBeLessThan(700);
}, 30_000);

test('more than can be replayed at once is refused in a moment', async () => {
  const { id } = await kit.endpoint('https://example.com/');
  await sqlAt(
    kit.test.url,
    `with made as (
       select 'evt_' || lpad(i::text, 26, '0') as id
       from generate_series(1, $3::int) i
     ), event as (
       insert into webhook_event (tenant_id, id, environment, service, type, subject_id, payload,
         created_at)
       select $1, id, 'sandbox', 'einvoice', 'invoice.received', id, '{}', now() from made
     )
     insert into webhook_delivery (tenant_id, endpoint_id, environment, event_id, subject_id, state,
       attempt, is_fresh)
     select $1, $2, 'sandbox', id, id, 'failed', 10, false from made`,
    [kit.tenantId, id, replayLimits.deliveries + 1],
  );
  const startedAt = performance.now();
  expect(await replay(id, true, new Date(0))).toEqual({ kind: 'too_many' });
  expect(await replay(id, false, new Date(0))).toEqual({ kind: 'too_many' });
  expect(performance.now() - startedAt).toBeLessThan(10_000);
}, 60_000);
