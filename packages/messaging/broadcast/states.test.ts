import { expect, test } from 'vitest';
import { broadcastStates, stateAfter } from './states.ts';

test.each(['completed', 'failed'] as const)('nothing moves what is %s', (state) => {
  for (const action of ['start', 'pause', 'resume', 'cancel', 'complete', 'fail'] as const) {
    expect(stateAfter(state, action, true)).toBeUndefined();
  }
});

test('asked for twice, pause, resume and cancel are the same once more', () => {
  expect(stateAfter('paused', 'pause', true)).toBe('paused');
  expect(stateAfter('running', 'resume', true)).toBe('running');
  expect(stateAfter('canceled', 'cancel', true)).toBe('canceled');
});

test('only what runs completes, only what waits for its time starts', () => {
  const from = (action: 'complete' | 'start') =>
    broadcastStates.filter((state) => stateAfter(state, action, true) !== undefined);
  expect(from('complete')).toEqual(['running']);
  expect(from('start')).toEqual(['queued']);
});

test('what was paused before its time waits for it again', () => {
  expect(stateAfter('paused', 'resume', false)).toBe('queued');
  expect(stateAfter('paused', 'resume', true)).toBe('running');
});
