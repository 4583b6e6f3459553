import { expect, test } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const now = new Date('2026-11-21T08:00:00Z');

test.each([
  ['seconds', '17', 17_000],
  ['zero', '0', 0],
  ['a date in the future', 'Sat, 21 Nov 2026 08:01:00 GMT', 60_000],
  ['a date in the past', 'Sat, 21 Nov 2026 07:00:00 GMT', 0],
  ['longer than the limit', '999999999', 3_600_000],
  ['nothing', undefined, undefined],
  ['not a time', 'soon', undefined],
  ['an empty text', '', undefined],
])('%s', (_name, header, ms) => {
  expect(retryAfterMs(header, now)).toBe(ms);
});
