import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sqlAt } from '../../test/kit/postgres.ts';
import { type Kit, type Receiver, startKit, startReceiver } from './delivery.kit.ts';
import { type Delivery, startDelivery } from './delivery.ts';
import type { NewEvent } from './store.ts';

/** Ten minutes of the clock are a second, so that hours of an outage pass in a test. */
const speed = 600;
const minuteMs = 60_000;
const keepBackMs = 10 * minuteMs;

const startedAtMs = Date.now();
const clock = () => new Date(startedAtMs + performance.now() * speed);

let kit: Kit;
const deliveries: Delivery[] = [];
let receiver: Receiver;
/** What the receiver answers to an event. */
let statusOf: (eventId: string) => number = () => 200;
/** Ids of what it took, in its order. */
const taken: string[] = [];

beforeAll(async () => {
  kit = await startKit(clock);
  receiver = await startReceiver((response, { headers }) => {
    const id = headers['webhook-id']!;
    const status = statusOf(id);
    if (status === 200) taken.push(id);
    response.writeHead(status).end();
  });
  await start();
});
afterEach(async () => {
  statusOf = () => 200;
  taken.length = 0;
  await sqlAt(kit.test.url, 'update webhook_endpoint set deleted_at = now()');
});
afterAll(async () => {
  await Promise.all(deliveries.map((delivery) => delivery.stop(5_000)));
  await receiver.close();
  await kit.stop();
});

/** Begins to deliver, as one more node. */
async function start(): Promise<Delivery> {
  // The clock is quicker than the timers, so it looks often.
  const limits = { renewMs: 50, sweepMs: 50 };
  const delivery = await startDelivery({ ...kit.options, keepBackMs, limits });
  deliveries.push(delivery);
  return delivery;
}

async function setAsideCount(): Promise<number> {
  const { values } = await kit.options.metrics.webhooksSetAside.get();
  return values[0]!.value;
}

function passed(ms: number): Promise<void> {
  const until = clock().getTime() + ms;
  return expect.poll(() => clock().getTime(), { timeout: 60_000 }).toBeGreaterThan(until);
}

/** Subjects whose events were not taken in the order in which they happened. */
function outOfOrder(events: readonly NewEvent[]): string[] {
  const place = new Map(taken.map((id, at) => [id, at]));
  const last = new Map<string, number>();
  const wrong = new Set<string>();
  for (const { id, subject_id } of events) {
    const at = place.get(id) ?? Number.POSITIVE_INFINITY;
    if (at <= (last.get(subject_id) ?? -1)) wrong.add(subject_id);
    last.set(subject_id, at);
  }
  return [...wrong];
}

const stages = ['validating', 'validated', 'submitted', 'delivered'] as const;

test('after an outage of two hours the events of 300 invoices arrive in order, each invoice by itself', async () => {
  const { id } = await kit.endpoint(receiver.url);
  const invoices = Array.from({ length: 300 }, (_, at) => `inv_${at}`);
  const events = await kit.events(invoices);
  await receiver.until(invoices.length);
  statusOf = () => 503;
  for (const stage of stages) {
    for (let from = 0; from < invoices.length; from += 60) {
      const some = invoices.slice(from, from + 60);
      events.push(...(await kit.events(some, { type: `invoice.${stage}` })));
      await passed(6 * minuteMs);
    }
  }
  statusOf = () => 200;
  // What comes now is new, and finds that the endpoint answers.
  events.push(
    ...(await kit.events(invoices.slice(0, 30).flatMap((each) => [each, `${each}_new`]))),
  );
  await expect.poll(() => taken.length, { timeout: 60_000 }).toBe(events.length);
  expect(outOfOrder(events)).toEqual([]);
  const leftSql = `select from webhook_delivery where endpoint_id = $1 and state <> 'delivered'`;
  await expect.poll(() => sqlAt(kit.test.url, leftSql, [id])).toEqual([]);
}, 120_000);

test('the first answer lets all go that waits for hours, at most 200 in a second', async () => {
  const { id } = await kit.endpoint(receiver.url);
  statusOf = () => 500;
  const waiting = await kit.events(Array.from({ length: 450 }, (_, at) => `late_${at}`));
  await receiver.until(10);
  await deliveries.shift()!.stop(5_000);
  // As after many failures, over hours; that the endpoint failed was not written any more.
  await sqlAt(
    kit.test.url,
    `update webhook_delivery set attempt = 6, is_fresh = false, wake_after = $2::timestamptz,
       next_at = $2::timestamptz + interval '20 days' where endpoint_id = $1`,
    [id, clock()],
  );
  await sqlAt(kit.test.url, 'update webhook_endpoint set failing_since = null where id = $1', [id]);
  await start();
  const before = receiver.received.length;
  statusOf = () => 200;
  await kit.events(['fresh_1']);
  await expect.poll(() => taken.length, { timeout: 60_000 }).toBe(waiting.length + 1);
  const instants = receiver.received.slice(before).map(({ atMs }) => atMs);
  expect(instants.at(-1)! - instants[0]!).toBeGreaterThan((1_000 * (waiting.length - 20)) / 200);
}, 120_000);

test('what always fails is set aside in time and told of; later events of its invoice go on', async () => {
  const { id } = await kit.endpoint(receiver.url);
  // On a busy machine others may be set aside too, as the clock is quicker than the answers.
  const countBefore = await setAsideCount();
  const [poison] = await kit.events(['inv_1']);
  statusOf = (eventId) => (eventId === poison!.id ? 400 : 200);
  const [later] = await kit.events(['inv_1']);
  let others = 0;
  const startedAt = clock().getTime();
  while (!taken.includes(later!.id)) {
    await kit.events([`other_${(others += 1)}`]);
    await passed(minuteMs / 2);
    const keptMs = clock().getTime() - startedAt;
    expect(keptMs).toBeLessThan(3 * keepBackMs); // the clock runs quicker than a busy machine
    if (keptMs < keepBackMs) expect(taken).not.toContain(later!.id);
  }
  const aside = await kit.delivery(id, poison!, 'set_aside');
  expect(aside.next_at).toBeInstanceOf(Date); // it is tried again
  expect(aside.attempts.length).toBeLessThan(8); // by the schedule, not by every answer to others
  expect(kit.logged.filter((line) => line.includes(poison!.id))).toHaveLength(1);
  expect(await setAsideCount()).toBeGreaterThan(countBefore);
}, 120_000);
