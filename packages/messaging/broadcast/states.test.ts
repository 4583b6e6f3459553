import { expect, test } from 'vitest';
import { broadcastStates, stateAfter } from './states.ts';

test.each(['completed', 'failed'] as const)('no action changes a broadcast that is %s', (state) => {
  for (const action of ['start', 'pause', 'resume', 'cancel', 'complete', 'fail'] as const) {
    expect(stateAfter(state, action, true)).toBeUndefined();
  }
});

test('pause, resume and cancel may be repeated without effect', () => {
  expect(stateAfter('paused', 'pause', true)).toBe('paused');
  expect(stateAfter('running', 'resume', true)).toBe('running');
  expect(stateAfter('canceled', 'cancel', true)).toBe('canceled');
});

test('only a running broadcast completes, and only a queued one starts', () => {
  const from = (action: 'complete' | 'start') =>
    broadcastStates.filter((state) => stateAfter(state, action, true) !== undefined);
  expect(from('complete')).toEqual(['running']);
  expect(from('start')).toEqual(['queued']);
});

test('a broadcast that was paused before its time waits for it again', () => {
  expect(stateAfter('paused', 'resume', false)).toBe('queued');
  expect(stateAfter('paused', 'resume', true)).toBe('running');
});
