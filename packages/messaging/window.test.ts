import { expect, test } from 'vitest';
import { serviceWindow } from './window.ts';

const inbound = new Date('2026-11-20T08:00:00.000Z');
const end = new Date('2026-11-21T08:00:00.000Z');

test.each([
  ['at once', '2026-11-20T08:00:00.000Z', { kind: 'open', until: end }],
  ['a moment before the end', '2026-11-21T07:59:59.999Z', { kind: 'open', until: end }],
  ['at the end', '2026-11-21T08:00:00.000Z', { kind: 'closed', since: end }],
  ['long after', '2027-01-01T00:00:00.000Z', { kind: 'closed', since: end }],
  ['when the network’s clock is ahead', '2026-11-20T07:59:00.000Z', { kind: 'open', until: end }],
])('%s', (_name, now, expected) => {
  expect(serviceWindow(inbound, new Date(now))).toEqual(expected);
});

test('the window is closed for a person who never wrote', () => {
  expect(serviceWindow(undefined, inbound)).toEqual({ kind: 'closed' });
});
