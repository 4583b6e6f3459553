import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  afterFailure,
  type FailedDelivery,
  isExtraAttempt,
  neverFailed,
} from './failed-delivery.ts';
import { nextAttemptAt, retrySchedule } from './retry-schedule.ts';

const t0 = Date.parse('2026-01-10T00:00:00Z');
const at = (seconds: number) => new Date(t0 + seconds * 1_000);
const minute = 60;
const keepBackMs = 10 * minute * 1_000;

function failed(
  now: number,
  retryAt: number,
  over: Partial<FailedDelivery> = {},
  recoveredAt: number | null = null,
) {
  return afterFailure(
    { ...neverFailed, ...over },
    {
      now: at(now),
      retryAt: at(retryAt),
      recoveredAt: recoveredAt === null ? null : at(recoveredAt),
      keepBackMs,
    },
  );
}

test.each<[string, ReturnType<typeof failed>, object]>([
  [
    'while nobody is answered the schedule alone counts',
    failed(0, 3_600),
    { nextAt: at(3_600), scheduledAt: null, answeredSince: null, isSetAside: false },
  ],
  [
    'once others are answered it is tried when its time to keep back ends',
    failed(65, 3_600, { wakeAfter: at(0), answeredSince: at(60) }),
    { nextAt: at(60 + 600), scheduledAt: at(3_600), isSetAside: false },
  ],
  [
    'an earlier time of the schedule stays',
    failed(65, 365, { wakeAfter: at(0), answeredSince: at(60) }),
    { nextAt: at(365), scheduledAt: null, isSetAside: false },
  ],
  [
    'under way while the endpoint recovered, it counts from then',
    failed(65, 3_600, { wakeAfter: at(0) }, 60),
    { nextAt: at(660), answeredSince: at(60) },
  ],
  [
    'a recovery before its last failure says nothing',
    failed(65, 3_600, { wakeAfter: at(61) }, 60),
    { nextAt: at(3_600), answeredSince: null },
  ],
  [
    'that attempt sets it aside, and the schedule goes on',
    failed(660, 3_600, { wakeAfter: at(65), answeredSince: at(60), scheduledAt: at(3_600) }),
    { nextAt: at(3_600), scheduledAt: null, isSetAside: true },
  ],
  [
    'set aside it stays so',
    failed(3_600, 9_000, { answeredSince: at(60), isSetAside: true }),
    { nextAt: at(9_000), isSetAside: true },
  ],
])('%s', (_, next, expected) => {
  expect(next).toMatchObject(expected);
});

test('whoever else is answered, a delivery is set aside in time and has every attempt of its schedule', () => {
  const gaps = fc.array(fc.integer({ min: 1, max: 40_000 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 30 }), (answers, keepBackMinutes) => {
      const keepBack = keepBackMinutes * minute * 1_000;
      let answeredAt = 0;
      const recoveries = answers.map((gap) => {
        answeredAt += gap;
        return at(answeredAt);
      });
      let delivery: FailedDelivery = neverFailed;
      let [now, planned, firstAnswer] = [at(0), 0, undefined as Date | undefined];
      for (let attempt = 0; ; attempt += 1) {
        expect(attempt).toBeLessThan(500);
        if (!isExtraAttempt(delivery, now)) planned += 1;
        const scheduled = isExtraAttempt(delivery, now)
          ? delivery.scheduledAt!
          : nextAttemptAt(now, planned, () => 0.5);
        if (scheduled === undefined) break;
        const recoveredAt = recoveries.findLast((answer) => answer < now) ?? null;
        const next = afterFailure(delivery, {
          now,
          retryAt: scheduled,
          recoveredAt,
          keepBackMs: keepBack,
        });
        if (firstAnswer !== undefined && now.getTime() >= firstAnswer.getTime() + keepBack) {
          expect(next.isSetAside).toBe(true);
        }
        const answer = recoveries.find((each) => each > now && each < next.nextAt);
        delivery = next;
        now = next.nextAt;
        // The first answer after a failure lets it go at once.
        if (answer !== undefined && delivery.wakeAfter! < answer) {
          firstAnswer ??= answer;
          delivery = {
            ...delivery,
            scheduledAt: delivery.scheduledAt ?? now,
            wakeAfter: new Date(answer.getTime() + keepBack),
            answeredSince: delivery.answeredSince ?? answer,
          };
          now = new Date(answer.getTime() + 1);
        }
      }
      expect(planned).toBe(retrySchedule.length);
    }),
    { numRuns: 200 },
  );
});
