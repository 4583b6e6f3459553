import { expect, test } from 'vitest';
import {
  eventOf,
  isSettled,
  next,
  type State,
  states,
  type Trigger,
  transitions,
} from './transitions.ts';

test.each([
  ['new', 'accept', 'received'],
  ['received', 'start-validation', 'validating'],
  ['validating', 'pass', 'validated'],
  ['validating', 'fail', 'rejected'],
  ['validated', 'submit', 'submitted'],
  ['submitted', 'deliver', 'delivered'],
  ['submitted', 'clear', 'cleared'],
  ['submitted', 'refuse', 'rejected'],
  ['validated', 'withdraw', 'rejected'],
  ['delivered', 'acknowledge', 'acknowledged'],
  ['cleared', 'acknowledge', 'acknowledged'],
] as const)('%s → %s → %s', (from, trigger, to) => {
  expect(next(from, trigger)).toBe(to);
});

test('no other transition is allowed', () => {
  const triggers = [...new Set(transitions.map((row) => row.trigger))];
  const allowed = transitions.flatMap((row) => row.from.map((from) => `${from}/${row.trigger}`));
  const froms: (State | 'new')[] = ['new', ...states];
  for (const from of froms) {
    for (const trigger of triggers as Trigger[]) {
      if (!allowed.includes(`${from}/${trigger}`)) expect(next(from, trigger)).toBeUndefined();
    }
  }
  expect(allowed).toHaveLength(11);
});

test('every state is reached, and only settled ones have no next', () => {
  const reached = new Set(transitions.map((row) => row.to));
  expect([...reached].sort()).toEqual([...states].sort());
  const ends = states.filter((state) => !transitions.some((row) => row.from.includes(state)));
  expect(ends.every(isSettled)).toBe(true);
});

test('events are named after the new state', () => {
  expect(eventOf('cleared')).toBe('invoice.cleared');
});
