/** The status of a call; only `statusAfter` decides how a report changes it. */

export const callStatuses = [
  'queued',
  'ringing',
  'in_progress',
  'completed',
  'busy',
  'no_answer',
  'canceled',
  'failed',
  'machine',
  'unknown',
] as const;
/** One of `callStatuses`. */
export type CallStatus = (typeof callStatuses)[number];

const order: Readonly<Record<CallStatus, number>> = {
  unknown: 0, // it may have been placed: any report is better
  queued: 1,
  ringing: 2,
  in_progress: 3,
  completed: 4,
  busy: 4,
  no_answer: 4,
  canceled: 4,
  failed: 4,
  machine: 4,
};

/** Whether no other status can follow. */
export function isFinal(status: CallStatus): boolean {
  return order[status] === order.completed;
}

/**
 * The status after a report of the provider, in whatever order reports come: it never goes
 * backwards, and the first final status stays. A call that a machine answered ends as `machine`.
 */
export function statusAfter(
  status: CallStatus,
  told: CallStatus,
  answeredBy?: 'human' | 'machine',
): CallStatus {
  const next = told === 'completed' && answeredBy === 'machine' ? 'machine' : told;
  return order[next] > order[status] ? next : status;
}
