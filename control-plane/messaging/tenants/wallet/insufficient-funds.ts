import { fail } from '../../errors.ts';
import type { WalletRow } from './store.ts';

export interface Sum {
  readonly amount: string;
  readonly currency: string;
}

const costs = { message: 'The message costs', call: 'The call may cost up to' } as const;

/**
 * The error for a wallet that holds too little, or is missing: the cost, the balance, what to do.
 */
export function insufficientFunds(
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
  if (asked === undefined || wallet === undefined) return noWalletDetail(subject);
  const { reserved, currency } = wallet;
  const facts = `${costs[subject]} ${asked.amount} ${asked.currency}, ${freeOf(wallet)}`;
  if (reserved === '0') return `${facts}: ${topUp}.`;
  return `${facts}: ${topUp}, or try again when ${freedOf(reserved, currency)}.`;
}

/** The detail of the error where there is no wallet. */
export function noWalletDetail(subject: keyof typeof costs): string {
  return `A ${subject} is paid from the wallet, and there is none: ask the host for one.`;
}

/** The cost of messages that wait to be sent. */
export interface QueuedCost {
  readonly messages: number;
  /** No other messages wait. */
  readonly is_all: boolean;
  /** For all of these messages. */
  readonly amount: string;
  /** For the first message that costs anything. */
  readonly next: string;
}

/** Why a broadcast pauses before these messages, as text for its owner. */
export function insufficientFundsForBroadcast(
  { messages, is_all, amount, next }: QueuedCost,
  wallet: WalletRow | undefined,
): string {
  if (wallet === undefined) return noWalletDetail('message');
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
