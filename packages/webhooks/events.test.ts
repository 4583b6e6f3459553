import { expect, test } from 'vitest';
import { filtersOf } from './events.ts';

test.each([
  [
    'einvoice',
    ['invoice.received', 'invoice.stalled', 'invoice.*', 'endpoint.disabled', 'work.stalled'],
    'message.sent',
  ],
  ['messaging', ['message.sent', 'wallet.low', 'call.*', 'work.stalled'], 'invoice.cleared'],
] as const)('a filter of %s names its own events only', (service, known, unknown) => {
  expect(filtersOf(service)).toEqual(expect.arrayContaining([...known]));
  expect(filtersOf(service)).not.toContain(unknown);
});
