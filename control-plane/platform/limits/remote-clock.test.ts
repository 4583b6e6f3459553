import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RemoteClock } from './remote-clock.ts';

/** An exchange: the pause before it, the way there, the way back. */
const exchange = fc.tuple(fc.nat(5_000), fc.nat(300), fc.nat(300));

test('however long the ways and however it is slewed, it is between the bounds', () => {
  fc.assert(
    fc.property(
      fc.array(exchange, { minLength: 1, maxLength: 50 }),
      fc.integer({ min: -1_000_000, max: 2_000_000_000 }),
      fc.integer({ min: -500, max: 500 }),
      (exchanges, ahead, slewPpm) => {
        const shown = (at: number) => at * (1 + slewPpm / 1_000_000) + ahead;
        const clock = new RemoteClock();
        let now = 0;
        for (const [pause, there, back] of exchanges) {
          const askedAt = now + pause;
          now = askedAt + there + back;
          clock.observe(shown(askedAt + there), askedAt, now);
          expect(clock.latestAt(now)).toBeGreaterThanOrEqual(shown(now) - 1e-3);
          const at = clock.reachedAt(shown(now) + 100);
          expect(shown(at)).toBeGreaterThanOrEqual(shown(now) + 100 - 0.1);
        }
      },
    ),
  );
});

test('one quick exchange narrows what slow ones left open', () => {
  const clock = new RemoteClock();
  clock.observe(1_000, 0, 100);
  expect(clock.latestAt(100) - 100 + clock.reachedAt(0)).toBeCloseTo(100, 0);
  clock.observe(1_102, 152, 154);
  clock.observe(1_250, 200, 300);
  expect(clock.latestAt(300) - 300 + clock.reachedAt(0)).toBeLessThan(2.5);
});

test('after it was set, what was known of it is forgotten', () => {
  const clock = new RemoteClock();
  clock.observe(1_000, 0, 2);
  clock.observe(90_000, 10, 14);
  expect(clock.latestAt(14)).toBeCloseTo(90_004, 2);
  expect(clock.reachedAt(90_000)).toBeCloseTo(14, 2);
});
