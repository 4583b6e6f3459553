import { expect, test } from 'vitest';
import { shortOfFunds } from './short-of-funds.ts';
import type { WalletRow } from './wallet-store.ts';

const asked = { amount: '105', currency: 'USD' };
const wallet = (available: string, reserved: string): WalletRow => ({
  ...{ currency: 'USD', balance: '70', available, reserved },
  ...{ low_at: null, is_low: false },
});

test.each([
  [
    ...['call', asked, wallet('70', '0')],
    'The call may cost up to 105 USD, and the wallet has 70 USD free: ask the host to top it up.',
  ],
  [
    ...['message', asked, wallet('10', '60')],
    'The message costs 105 USD, and the wallet has 10 USD free: ask the host to top it up, or try ' +
      'again when something is left of the 60 USD promised to what is under way.',
  ],
  [
    ...['call', undefined, undefined],
    'A call is paid from the wallet, and there is none: ask the host for one.',
  ],
] as const)('for a %s of %j from %j', (subject, sum, purse, detail) => {
  const { code, message } = shortOfFunds(subject, sum, purse);
  expect([code, message]).toEqual(['insufficient_funds', detail]);
});
