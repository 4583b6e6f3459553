import { expect, test } from 'vitest';
import { insufficientFunds, insufficientFundsForBroadcast } from './insufficient-funds.ts';
import type { WalletRow } from './store.ts';

const asked = { amount: '105', currency: 'USD' };
const wallet = (available: string, reserved: string): WalletRow => ({
  currency: 'USD',
  balance: '70',
  available,
  reserved,
  low_at: null,
  is_low: false,
});

test.each([
  [
    'call',
    asked,
    wallet('70', '0'),
    'The call may cost up to 105 USD, and the wallet has 70 USD free: ask the host to top it up.',
  ],
  [
    'message',
    asked,
    wallet('10', '60'),
    'The message costs 105 USD, and the wallet has 10 USD free: ask the host to top it up, or try ' +
      'again when something is left of the 60 USD promised to what is under way.',
  ],
  [
    'call',
    undefined,
    undefined,
    'A call is paid from the wallet, and there is none: ask the host for one.',
  ],
] as const)('for a %s of %j from %j', (subject, sum, purse, detail) => {
  const { code, message } = insufficientFunds(subject, sum, purse);
  expect([code, message]).toEqual(['insufficient_funds', detail]);
});

const queued = (messages: number, is_all = true) => {
  return { messages, is_all, amount: '0.9', next: '0.3' };
};

test.each([
  [
    queued(3),
    wallet('0.25', '0'),
    'The next message costs 0.3 USD, all 3 to be sent 0.9 USD, and the wallet has 0.25 USD free: ' +
      'ask the host to top it up, then resume the broadcast.',
  ],
  [
    queued(1),
    wallet('0', '60'),
    'The last message costs 0.3 USD, and the wallet has 0 USD free: ask the host to top it up, or ' +
      'wait until something is left of the 60 USD promised to what is under way; then resume the ' +
      'broadcast.',
  ],
  [
    queued(3, false),
    wallet('0.25', '0'),
    'The next message costs 0.3 USD, the next 3 0.9 USD, and the wallet has 0.25 USD free: ' +
      'ask the host to top it up, then resume the broadcast.',
  ],
  [
    queued(3),
    undefined,
    'A message is paid from the wallet, and there is none: ask the host for one.',
  ],
] as const)('for a broadcast with %j to go from %j', (cost, purse, detail) => {
  expect(insufficientFundsForBroadcast(cost, purse)).toBe(detail);
});
