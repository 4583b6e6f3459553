import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mostInSecond } from '../../scripts/bench/timing.ts';
import { type Call, type Campaign, makeCampaign } from '../kit/campaign.ts';
import { seeded } from '../kit/clock.ts';
import { type BroadcastHarness, type Logged, startBroadcastHarness } from './broadcast.kit.ts';
import { retryUntilDone } from './crash.kit.ts';

/** How long nodes are killed; `npm run torture broadcast` sets it. */
const tortureMs = Number(process.env.TORTURE_SECONDS ?? 12) * 1_000;
const seed = Number(process.env.TORTURE_SEED ?? randomInt(1_000_000));
const answersLost = 0.01;
/** Of each tenant: more than can be sent in the time, so that every kill comes during the broadcasts. */
const contacts = Math.round((tortureMs / 1_000) * 450);
/** Messages a second of a tenant (`BROADCAST_RATE`). */
const cap = 500;
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
  'nodes killed at full speed, answers lost, two tenants: nobody gets it twice, nobody is forgotten',
  async () => {
    const { call, callOfOther, postgres, provider } = harness;
    const plan = { contacts, perSecond: 2_000 };
    const calls = [call, callOfOther];
    const sent: Sent[] = [];
    for (const [at, own] of calls.entries()) {
      const campaign = await makeCampaign(own, postgres.sql, { name: `torture ${at}`, ...plan });
      sent.push({ call: own, campaign, id: '' });
    }
    for (const each of sent) {
      each.id = (await each.call('POST', '/broadcast/', each.campaign)).id;
    }
    const killed = await killFor(tortureMs);
    expect(killed).toBeGreaterThan(0);
    for (const { call: own, id } of sent) {
      const done = await whileMoving(async () => {
        const found = await own('GET', `/broadcast/${id}/`);
        return found.status === 'completed' ? found : undefined;
      });
      expect(done.recipients).toBe(contacts);
    }
    await reported(sent);
    const { accepted, doubled } = await provider.counts();
    expect(doubled).toBe(0);
    const log = await provider.log();
    expect(new Set(log.map(({ to }) => to)).size).toBe(log.length);
    expect(log.filter(({ isAnswerLost }) => isAnswerLost).length).toBeGreaterThan(0);
    let taken = 0;
    for (const each of sent) taken += await audit(each, log);
    expect(taken).toBe(accepted);
    console.log(
      `killed ${killed} nodes while ${sent.length} × ${contacts} messages went: ${accepted} taken, ` +
        `${sent.length * contacts - accepted} never went or are unknown`,
    );
  },
  wholeMsMax,
);

interface Sent {
  readonly call: Call;
  readonly campaign: Campaign;
  id: string;
}

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
async function reported(sent: readonly Sent[]): Promise<void> {
  const { provider } = harness;
  const { accepted } = await provider.counts();
  await whileMoving(async () => {
    // The gateway waits up to ten minutes before it reports again.
    await provider.advance(20_000);
    await delay(500);
    const counts = await Promise.all(sent.map(counted));
    const delivered = counts.reduce((sum, each) => sum + each.delivered, 0);
    return delivered >= accepted ? true : undefined;
  });
}

const counted = async ({ call, id }: Sent) => (await call('GET', `/broadcast/${id}/`)).counts;

/** Checks each message against the provider's own log; returns how many the provider took. */
async function audit(sent: Sent, log: readonly Logged[]): Promise<number> {
  const rows = await harness.postgres.sql<{ id: string; status: string; provider_id: string }>(
    'select id, status, provider_id from message where broadcast_id = $1',
    [sent.id],
  );
  expect(rows).toHaveLength(contacts);
  const taken = new Map(log.map((entry) => [entry.reference, entry]));
  const own: number[] = [];
  for (const row of rows) {
    const entry = taken.get(row.id);
    const status = entry === undefined ? 'unknown' : 'delivered';
    expect(row).toEqual({ id: row.id, status, provider_id: entry?.id ?? null });
    if (entry !== undefined) own.push(Date.parse(entry.at));
  }
  const counts = await counted(sent);
  const accepted = own.length;
  expect(counts).toMatchObject({ sent: accepted, delivered: accepted, queued: 0, failed: 0 });
  expect(counts.unknown).toBe(contacts - accepted);
  // How evenly is measured on a quiet machine by `npm run bench -- messaging`: here nodes die, and others wait.
  const most = mostInSecond(own.sort((a, b) => a - b));
  console.log(`the provider read ${most} at most in any second of one tenant, whose cap is ${cap}`);
  expect(most).toBeLessThan(2 * cap);
  return accepted;
}
