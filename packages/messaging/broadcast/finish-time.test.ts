import { expect, test } from 'vitest';
import { finishTime } from './finish-time.ts';

const at = (time: string) => new Date(`2026-03-10T${time}Z`);

test.each([
  ['nobody', [], undefined],
  ['all at once', [{ at: at('10:00:00'), count: 5_000 }], at('10:00:10')],
  [
    'messages in quiet hours come later',
    [
      { at: at('16:00:00'), count: 500 },
      { at: at('10:00:00'), count: 5_000 },
    ],
    at('16:00:01'),
  ],
  [
    'messages that become due while others are being sent wait for them',
    [
      { at: at('10:00:00'), count: 5_000 },
      { at: at('10:00:05'), count: 1_000 },
    ],
    at('10:00:12'),
  ],
] as const)('%s', (_, due, end) => {
  expect(finishTime(due, 500)).toEqual(end);
});
