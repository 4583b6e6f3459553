/** Where a message stands. `unknown`: it may have been taken; nobody could tell. */
export const statuses = [
  'queued',
  'sending',
  'unknown',
  'sent',
  'canceled',
  'expired',
  'failed',
  'delivered',
  'read',
] as const;
export type Status = (typeof statuses)[number];

/**
 * The rank of a status. Reports come batched, twice and in any order, so a status only ever rises:
 * a failure gives way to a later proof of delivery, never the other way.
 */
export function rankOf(status: Status): number {
  return statuses.indexOf(status);
}

/** The status after a report: the higher of the two, whatever the order of reports. */
export function statusAfter(current: Status, reported: Status): Status {
  return rankOf(reported) > rankOf(current) ? reported : current;
}

/** The furthest status that a channel reports of its own accord. */
export type Farthest = 'sent' | 'delivered' | 'read';

/** Whether nothing further is to be expected on a channel that reports as far as `farthest`. */
export function isFinal(status: Status, farthest: Farthest): boolean {
  return isFailure(status) || rankOf(status) >= rankOf(farthest);
}

/** Whether the message did not arrive, as far as anybody has said. */
export function isFailure(status: Status): boolean {
  return status === 'failed' || status === 'expired' || status === 'canceled';
}
