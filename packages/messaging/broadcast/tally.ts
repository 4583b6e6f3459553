import type { Status } from '../status.ts';

/**
 * The counts of a broadcast. `sent`, `delivered` and `read` each count every message that came that
 * far, so a message that was read is in all three. A message in none of the counts up to `skipped`
 * is still to be sent.
 */
export const counted = [
  'unknown',
  'sent',
  'delivered',
  'read',
  'failed',
  'canceled',
  'skipped',
  'clicks',
  'bot_clicks',
  'clicked',
  'replied',
] as const;
/** One of the names in `counted`. */
export type Counted = (typeof counted)[number];
/** A number for each count; in changes it may be negative. */
export type Tally = Readonly<Record<Counted, number>>;

const none = Object.fromEntries(counted.map((name) => [name, 0])) as Tally;

const membership: Readonly<Record<Status, readonly Counted[]>> = {
  queued: [],
  sending: [],
  unknown: ['unknown'],
  sent: ['sent'],
  canceled: ['canceled'],
  skipped: ['skipped'],
  expired: ['failed'],
  failed: ['failed'],
  delivered: ['sent', 'delivered'],
  read: ['sent', 'delivered', 'read'],
};

/** A tally with these counts and zero for all others. */
export function tally(counts: Partial<Tally>): Tally {
  return { ...none, ...counts };
}

/** How counts change when messages move from one status to another. */
export function tallyOfChanges(moves: readonly { from: Status; to: Status }[]): Tally {
  const counts: Record<Counted, number> = { ...none };
  for (const { from, to } of moves) {
    for (const name of membership[from]) counts[name] -= 1;
    for (const name of membership[to]) counts[name] += 1;
  }
  return counts;
}

/** Shares from 0 to 1, to four places; null when there is nothing to divide by. */
export interface Rates {
  readonly delivered: number | null;
  readonly read: number | null;
  readonly clicked: number | null;
  readonly replied: number | null;
  readonly failed: number | null;
}

/**
 * The shares of the messages that were sent or tried; null when there are none. A message whose
 * fate is unknown counts as tried.
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
