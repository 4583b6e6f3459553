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
  if (asked === undefined || wallet === undefined) return withoutWallet(subject);
  const { reserved, currency } = wallet;
  const facts = `${costs[subject]} ${asked.amount} ${asked.currency}, ${freeOf(wallet)}`;
  if (reserved === '0') return `${facts}: ${topUp}.`;
  return `${facts}: ${topUp}, or try again when ${freedOf(reserved, currency)}.`;
}

/** What is said where there is no wallet. */
export function withoutWallet(subject: keyof typeof costs): string {
  return `A ${subject} is paid from the wallet, and there is none: ask the host for one.`;
}

/** What messages cost that wait to be sent. */
export interface QueuedCost {
  readonly messages: number;
  /** No others wait. */
  readonly is_all: boolean;
  /** Of all of these. */
  readonly amount: string;
  /** Of the first that costs anything. */
  readonly next: string;
}

/** As `shortOfFunds`, for a broadcast that stops before these messages. */
export function shortForBroadcast(
  { messages, is_all, amount, next }: QueuedCost,
  wallet: WalletRow | undefined,
): string {
  if (wallet === undefined) return withoutWallet('message');
  const { reserved, currency } = wallet;
  const many = is_all ? `all ${messages} to be sent` : `the next ${messages}`;
  const asked =
    messages === 1
      ? `The last message costs ${next} ${currency}`
      : `The next message costs ${next} ${currency}, ${many} ${amount} ${currency}`;
  const facts = `${asked}, ${freeOf(wallet)}`;
  if (reserved === '0') return `${facts}: ${topUp}, then resume the broadcast.`;
  return `${facts}: ${topUp}, or wait until ${freedOf(reserved, currency)}; then resume the broadcast.`;
}

const topUp = 'ask the host to top it up';

function freeOf({ available, currency }: WalletRow): string {
  return `and the wallet has ${available} ${currency} free`;
}

function freedOf(reserved: string, currency: string): string {
  return `something is left of the ${reserved} ${currency} promised to what is under way`;
}
