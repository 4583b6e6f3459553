/** What arrives at a far end by turns, in a world whose time passes as it is told. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDb, type TestDb } from '../../../test/kit/postgres.ts';
import { takeSlots } from './arrival-slot-store.ts';
import { RemoteClock } from './remote-clock.ts';
import { RoundTripMinimum } from './round-trip-minimum.ts';

let kit: TestDb;
beforeAll(async () => {
  kit = await startDb();
});
afterAll(() => kit.stop());

const windowMs = 1_000;
/** Of the database's clock, when a world begins. */
const beginning = 1_800_000_000_000;
const [wayThere, wayBack] = [3, 4];

/** How much longer than they must, in milliseconds; drawn anew for each. */
interface Delays {
  readonly statement: () => number;
  readonly timer: () => number;
  readonly there: () => number;
  readonly back: () => number;
  /** Whether a node is gone before it tells what became of a turn. */
  readonly isLost: () => boolean;
}

interface World {
  readonly most: number;
  readonly nodes: number;
  readonly seconds: number;
  readonly delays: Delays;
}

let worlds = 0;

/** When each arrives whom nodes send that always have more, in milliseconds from the beginning. */
async function arrivalsIn({ most, nodes, seconds, delays }: World): Promise<number[]> {
  worlds += 1;
  const key = `world ${worlds}`;
  const arrived: number[] = [];
  const events: { readonly at: number; run(): Promise<void> | void }[] = [];
  const at = (when: number, run: () => Promise<void> | void) => events.push({ at: when, run });

  const ask = (node: Node, askedAt: number) => {
    const reported = node.reported.splice(0);
    const executedAt = askedAt + 1 + delays.statement();
    at(executedAt, async () => {
      const request = {
        key,
        most,
        window_us: windowMs * 1_000,
        wanted: most,
        reported_goes: reported.map(([goes]) => goes),
        reported_until: reported.map(([, until]) => until),
      };
      const nowUs = Math.floor((beginning + executedAt) * 1_000);
      const [row] = await kit.db.system((tx) => takeSlots(tx, [request], nowUs));
      const answeredAt = executedAt + 1 + delays.statement();
      at(answeredAt, () => {
        node.clock.observe(row!.now_us / 1_000, node.shows(askedAt), node.shows(answeredAt));
        for (const goes of row!.goes_at) go(node, goes, answeredAt);
        at(answeredAt + 100, () => ask(node, answeredAt + 100));
      });
    });
  };
  const go = (node: Node, goes: number, now: number) => {
    const due = node.clock.reachedAt(goes / 1_000) - node.ahead;
    const leftAt = Math.max(now, due) + delays.timer();
    const arrivesAt = leftAt + wayThere + delays.there();
    const answeredAt = arrivesAt + wayBack + delays.back();
    at(arrivesAt, () => void arrived.push(arrivesAt));
    at(answeredAt, () => {
      node.trips.observe(answeredAt - leftAt);
      if (delays.isLost()) return;
      const by = node.shows(answeredAt) - node.trips.shortestMs;
      node.reported.push([goes, Math.ceil((node.clock.latestAt(by) + windowMs) * 1_000)]);
    });
  };

  for (let count = 0; count < nodes; count += 1) ask(newNode(count), 7 * count);
  for (;;) {
    events.sort((a, b) => b.at - a.at);
    const next = events.pop()!;
    if (next.at > seconds * 1_000) return arrived;
    await next.run();
  }
}

interface Node {
  readonly clock: RemoteClock;
  readonly trips: RoundTripMinimum;
  readonly reported: [goes: number, until: number][];
  /** Its stopwatch is ahead of the beginning by so much. */
  readonly ahead: number;
  shows(at: number): number;
}

function newNode(count: number): Node {
  const ahead = 5_000_000 * count;
  const shows = (at: number) => at + ahead;
  return { clock: new RemoteClock(), trips: new RoundTripMinimum(), reported: [], ahead, shows };
}

/** The most within any window, one that begins with it counted and one that ends with it not. */
function mostOf(times: readonly number[]): number {
  let first = 0;
  return times.reduce((most, time, last) => {
    // Instants are rounded to a microsecond on their way.
    while (times[first]! <= time - windowMs + 0.002) first += 1;
    return Math.max(most, last - first + 1);
  }, 0);
}

const never = () => 0;
const steady: Delays = {
  statement: never,
  timer: never,
  there: never,
  back: never,
  isLost: () => false,
};

test.each([1, 3])('where nothing wavers, %i nodes use the limit up to 1 %', async (nodes) => {
  const seconds = 20;
  const arrived = await arrivalsIn({ most: 50, nodes, seconds, delays: steady });
  expect(mostOf(arrived)).toBe(50);
  // From the first second on: until round trips are known, all of them is taken for the way there.
  const sustained = arrived.filter((time) => time > 5_000);
  expect(sustained.length).toBeGreaterThanOrEqual(0.99 * 50 * (seconds - 5));
});

test('however anything wavers, and whoever dies, no window sees more arrive', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 1, max: 60 }),
      fc.nat(120),
      fc.nat(40),
      fc.integer({ min: 1, max: 2 ** 31 }),
      async (nodes, most, jitterMs, lostPercent, seed) => {
        const random = randomFrom(seed);
        // At times the way is as short as it can be.
        const jitter = () => (random() < 0.3 ? 0 : random() ** 3 * jitterMs);
        const delays: Delays = {
          statement: jitter,
          timer: jitter,
          there: jitter,
          back: jitter,
          isLost: () => random() * 100 < lostPercent,
        };
        const arrived = await arrivalsIn({ most, nodes, seconds: 8, delays });
        expect(arrived.length).toBeGreaterThan(most);
        expect(mostOf(arrived)).toBeLessThanOrEqual(most);
      },
    ),
    { numRuns: 15 },
  );
}, 60_000);

test('as much is given up as answers waver, and no more', async () => {
  const random = randomFrom(1);
  const there = () => random() * 40;
  const seconds = 20;
  const delays = { ...steady, there };
  const arrived = await arrivalsIn({ most: 50, nodes: 1, seconds, delays });
  const sustained = arrived.filter((time) => time > 5_000);
  // 20 ms on average.
  expect(sustained.length).toBeGreaterThanOrEqual((0.99 * 50 * (seconds - 5)) / 1.02);
  expect(mostOf(arrived)).toBeLessThanOrEqual(50);
});

/** In [0, 1), the same again for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
