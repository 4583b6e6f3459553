import { expect, test } from 'vitest';
import { nextReplayStep, type ReplayProgress, replayLimits } from './replay.ts';

const startedAt = new Date('2026-01-10T00:00:00Z');
const after = (ms: number) => new Date(startedAt.getTime() + ms);

test.each<[string, Partial<ReplayProgress>, object]>([
  ['there is room', {}, { kind: 'send' }],
  ['one place is left', { waiting: replayLimits.waiting - 1 }, { kind: 'send' }],
  [
    'too much waits',
    { waiting: replayLimits.waiting },
    { kind: 'wait', until: after(1_000 + replayLimits.waitMs) },
  ],
  [
    'the endpoint was deleted',
    { isEndpointDeleted: true, waiting: replayLimits.waiting },
    { kind: 'end', reason: 'endpoint_deleted' },
  ],
  [
    'it has waited for a week',
    { now: after(replayLimits.durationMs), waiting: replayLimits.waiting },
    { kind: 'end', reason: 'took_too_long' },
  ],
])('%s', (_, over, step) => {
  const progress = { startedAt, now: after(1_000), isEndpointDeleted: false, waiting: 0, ...over };
  expect(nextReplayStep(progress)).toEqual(step);
});
