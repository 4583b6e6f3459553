import { expect, test } from 'vitest';
import { destinationsOf } from './destinations.ts';
import { flowWith } from './flow.sample.ts';

const flow = flowWith(
  {
    ask: { type: 'gather', max_digits: 12, save_as: 'pressed', next: 'first', otherwise: 'first' },
    first: {
      type: 'dial',
      to: ['+60387654321', '{{desk}}', 'sip:desk@pbx.example.test', '+{{pressed}}'],
      limit_seconds: 120,
      next: 'second',
    },
    second: { type: 'dial', to: ['+14155550100'] },
  },
  { variables: { desk: { default: '+60311111111' } } },
);

test('every number in a dial is found, with the values of the call', () => {
  expect(destinationsOf(flow, { desk: '+6590000000' })).toEqual([
    { number: '+60387654321', limitSeconds: 120 },
    { number: '+6590000000', limitSeconds: 120 },
    { number: '+14155550100', limitSeconds: 7_200 },
  ]);
});

test('a variable without a value takes its default, or dials nobody', () => {
  const numbers = (values: Record<string, string>) =>
    destinationsOf(flow, values).map(({ number }) => number);
  expect(numbers({})).toContain('+60311111111');
  expect(numbers({ desk: 'nobody' })).toHaveLength(2);
});
