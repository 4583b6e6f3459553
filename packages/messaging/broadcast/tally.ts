import type { Status } from '../status.ts';

/**
 * What is counted of a broadcast. `sent`, `delivered` and `read` count every message that came so
 * far, so one that was read is in all three. What is in none of them, nor unknown, failed or
 * canceled, is still to go.
 */
export const counted = [
  'unknown',
  'sent',
  'delivered',
  'read',
  'failed',
  'canceled',
  'clicks',
  'bot_clicks',
  'clicked',
  'replied',
] as const;
export type Counted = (typeof counted)[number];
export type Tally = Readonly<Record<Counted, number>>;

const none = Object.fromEntries(counted.map((name) => [name, 0])) as Tally;

const membership: Readonly<Record<Status, readonly Counted[]>> = {
  queued: [],
  sending: [],
  unknown: ['unknown'],
  sent: ['sent'],
  canceled: ['canceled'],
  expired: ['failed'],
  failed: ['failed'],
  delivered: ['sent', 'delivered'],
  read: ['sent', 'delivered', 'read'],
};

/** A tally of nothing but these. */
export function tally(counts: Partial<Tally>): Tally {
  return { ...none, ...counts };
}

/** How counts change when messages move from one status to another. */
export function tallyOfMoves(moves: readonly { from: Status; to: Status }[]): Tally {
  const counts: Record<Counted, number> = { ...none };
  for (const { from, to } of moves) {
    for (const name of membership[from]) counts[name] -= 1;
    for (const name of membership[to]) counts[name] += 1;
  }
  return counts;
}

export interface Rates {
  readonly delivered: number | null;
  readonly read: number | null;
  readonly clicked: number | null;
  readonly replied: number | null;
  readonly failed: number | null;
}

/**
 * Shares of the messages that were sent or tried, to four places; null when there were none. What
 * nobody knows of counts as tried.
 */
export function ratesOf({ sent, failed, unknown, ...counts }: Tally): Rates {
  const tried = sent + failed + unknown;
  const share = (count: number) =>
    tried <= 0 ? null : Math.round((Math.min(count, tried) / tried) * 10_000) / 10_000;
  return {
    delivered: share(counts.delivered),
    read: share(counts.read),
    clicked: share(counts.clicked),
    replied: share(counts.replied),
    failed: share(failed),
  };
}
