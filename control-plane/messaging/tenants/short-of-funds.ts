import { fail } from '../errors.ts';
import type { WalletRow } from './wallet-store.ts';

export interface Sum {
  readonly amount: string;
  readonly currency: string;
}

const costs = { message: 'The message costs', call: 'The call may cost up to' } as const;

/** What is asked, what is free and what helps, for those whose wallet has not as much, or is none. */
export function shortOfFunds(
  subject: keyof typeof costs,
  asked: Sum | undefined,
  wallet: WalletRow | undefined,
) {
  return fail('insufficient_funds', detailOf(subject, asked, wallet));
}

function detailOf(
  subject: keyof typeof costs,
  asked: Sum | undefined,
  wallet: WalletRow | undefined,
): string {
  if (asked === undefined || wallet === undefined) {
    return `A ${subject} is paid from the wallet, and there is none: ask the host for one.`;
  }
  const { available, reserved, currency } = wallet;
  const facts =
    `${costs[subject]} ${asked.amount} ${asked.currency}, ` +
    `and the wallet has ${available} ${currency} free`;
  if (reserved === '0') return `${facts}: ask the host to top it up.`;
  return (
    `${facts}: ask the host to top it up, or try again when something is left ` +
    `of the ${reserved} ${currency} promised to what is under way.`
  );
}
