import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCampaign } from '../kit/campaign.ts';
import { seeded } from '../kit/clock.ts';
import { type BroadcastHarness, startBroadcastHarness } from './broadcast.kit.ts';
import { retryUntilDone } from './crash.kit.ts';

/** How long nodes are killed; `npm run torture broadcast` sets it. */
const tortureMs = Number(process.env.TORTURE_SECONDS ?? 12) * 1_000;
const seed = Number(process.env.TORTURE_SEED ?? randomInt(1_000_000));
const answersLost = 0.05;
/** More than can be sent in the time, so that every kill comes during the broadcast. */
const contacts = Math.round((tortureMs / 1_000) * 450);
/** How long nothing may move after the last kill: a busy machine takes its time for all of them. */
const stillMsMax = 90_000;
/** Of a whole run; a machine that is slower than this is no machine to run it on. */
const wholeMsMax = 20 * (tortureMs + stillMsMax);

let harness: BroadcastHarness;
const random = seeded(seed);
const between = (min: number, max: number) => min + random() * (max - min);

beforeAll(async () => {
  console.log(`crash test of broadcasts with TORTURE_SEED=${seed}`);
  harness = await startBroadcastHarness(answersLost);
}, 120_000);
afterAll(() => harness?.stop(), 60_000);

test(
  'nodes killed at full speed, answers lost: nobody gets it twice, nobody is forgotten',
  async () => {
    const { call, postgres, provider } = harness;
    const plan = { name: 'torture', contacts, perSecond: 2_000 };
    const campaign = await makeCampaign(call, postgres.sql, plan);
    const { id } = await call('POST', '/broadcast/', campaign);
    const killed = await killFor(tortureMs);
    expect(killed).toBeGreaterThan(0);
    const done = await whileMoving(async () => {
      const found = await call('GET', `/broadcast/${id}/`);
      return found.status === 'completed' ? found : undefined;
    });
    expect(done.recipients).toBe(contacts);
    await reported(id);
    await audit(id);
    const { accepted } = await provider.counts();
    const counts = await counted(id);
    console.log(
      `killed ${killed} nodes while ${contacts} messages went: ${accepted} taken, ` +
        `${counts.unknown} never went or are unknown`,
    );
    expect(counts).toMatchObject({ sent: accepted, delivered: accepted, queued: 0, failed: 0 });
    expect(counts.unknown).toBe(contacts - accepted);
  },
  wholeMsMax,
);

/** Kills nodes at random times, sometimes both; returns how many. */
async function killFor(ms: number): Promise<number> {
  const end = performance.now() + ms;
  let killed = 0;
  while (performance.now() < end) {
    await delay(between(500, 3_000));
    const victims = random() < 0.25 ? harness.nodes : [harness.nodes[random() < 0.5 ? 0 : 1]!];
    await Promise.all(victims.map((node) => node.end('SIGKILL')));
    killed += victims.length;
    await Promise.all(victims.map((node) => node.start()));
  }
  return killed;
}

/** Repeats `work` until it gives a result, for as long as the provider takes or reports messages. */
async function whileMoving<Result>(work: () => Promise<Result | undefined>): Promise<Result> {
  let seen = '';
  for (;;) {
    const { accepted, reports } = await harness.provider.counts();
    const now = JSON.stringify({ accepted, reports });
    if (now === seen) return retryUntilDone(work, stillMsMax);
    seen = now;
    try {
      return await retryUntilDone(work, stillMsMax / 3);
    } catch {
      // Not yet: look whether anything has moved.
    }
  }
}

/** Resolves when every accepted message is reported; lost reports are sent again. */
async function reported(id: string): Promise<void> {
  const { provider } = harness;
  const { accepted } = await provider.counts();
  await whileMoving(async () => {
    // The gateway waits up to ten minutes before it reports again.
    await provider.advance(20_000);
    await delay(500);
    const { delivered } = await counted(id);
    return delivered >= accepted ? true : undefined;
  });
}

const counted = async (id: string) => (await harness.call('GET', `/broadcast/${id}/`)).counts;

/** Checks each message against the provider's own log. */
async function audit(id: string): Promise<void> {
  const { provider, postgres } = harness;
  const log = await provider.log();
  expect((await provider.counts()).doubled).toBe(0);
  expect(new Set(log.map(({ to }) => to)).size).toBe(log.length);
  expect(log.filter(({ isAnswerLost }) => isAnswerLost).length).toBeGreaterThan(0);
  const rows = await postgres.sql<{ id: string; status: string; provider_id: string }>(
    'select id, status, provider_id from message where broadcast_id = $1',
    [id],
  );
  expect(rows).toHaveLength(contacts);
  const taken = new Map(log.map((entry) => [entry.reference, entry.id]));
  for (const row of rows) {
    const providerId = taken.get(row.id) ?? null;
    const status = providerId === null ? 'unknown' : 'delivered';
    expect(row).toEqual({ id: row.id, status, provider_id: providerId });
  }
}
