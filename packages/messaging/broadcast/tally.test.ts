import { expect, test } from 'vitest';
import { ratesOf, tally, tallyOfChanges } from './tally.ts';

test.each([
  ['sending', 'sent', { sent: 1 }],
  ['sent', 'delivered', { delivered: 1 }],
  ['sent', 'read', { delivered: 1, read: 1 }],
  ['sending', 'read', { sent: 1, delivered: 1, read: 1 }],
  ['sent', 'failed', { sent: -1, failed: 1 }],
  ['failed', 'delivered', { failed: -1, sent: 1, delivered: 1 }],
  ['unknown', 'sent', { unknown: -1, sent: 1 }],
  ['sending', 'queued', {}],
  ['queued', 'canceled', { canceled: 1 }],
] as const)('from %s to %s', (from, to, changed) => {
  expect(tallyOfChanges([{ from, to }])).toEqual(tally(changed));
});

test('moves add up', () => {
  const moves = [
    { from: 'sending', to: 'sent' },
    { from: 'sending', to: 'failed' },
    { from: 'sent', to: 'delivered' },
  ] as const;
  expect(tallyOfChanges(moves)).toEqual(tally({ sent: 1, failed: 1, delivered: 1 }));
});

test('rates are shares of what was tried', () => {
  const counts = tally({ sent: 6, delivered: 5, read: 2, clicked: 1, failed: 3, unknown: 1 });
  expect(ratesOf(counts)).toEqual({
    delivered: 0.5,
    read: 0.2,
    clicked: 0.1,
    replied: 0,
    failed: 0.3,
  });
  expect(ratesOf(tally({ canceled: 7 })).delivered).toBeNull();
});
