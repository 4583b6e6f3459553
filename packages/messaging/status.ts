/**
 * Where a message is. `unknown`: the provider may have taken it, and cannot be asked. `skipped`: its
 * person has opted out since it was queued.
 */
export const statuses = [
  'queued',
  'sending',
  'unknown',
  'sent',
  'canceled',
  'skipped',
  'expired',
  'failed',
  'delivered',
  'read',
] as const;
/** One of `statuses`. */
export type Status = (typeof statuses)[number];

/**
 * The rank of a status. Reports come in batches, repeated and in any order, so a status only rises:
 * a failure gives way to a later proof of delivery, never the other way round.
 */
export function rankOf(status: Status): number {
  return statuses.indexOf(status);
}

/** The status after a report: the higher of the two, whatever the order of reports. */
export function statusAfter(current: Status, reported: Status): Status {
  return rankOf(reported) > rankOf(current) ? reported : current;
}

/** The last status that a channel reports. */
export type Farthest = 'sent' | 'delivered' | 'read';

/** Whether no further status can come from a channel that reports as far as `farthest`. */
export function isFinal(status: Status, farthest: Farthest): boolean {
  return isFailure(status) || rankOf(status) >= rankOf(farthest);
}

/** Whether the message did not arrive, as far as is known. */
export function isFailure(status: Status): boolean {
  return ['failed', 'expired', 'canceled', 'skipped'].includes(status);
}
