/** How a call stands: `statusAfter` is the one place where that changes. */

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
export type CallStatus = (typeof callStatuses)[number];

const order: Readonly<Record<CallStatus, number>> = {
  unknown: 0, // it may have been placed: whatever is told next is better
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

/** Nothing follows. */
export function isFinal(status: CallStatus): boolean {
  return order[status] === order.completed;
}

/**
 * The status once the provider has told one, in whatever order its reports come: never backwards,
 * and the first end holds. A call that a machine answered ends as `machine`.
 */
export function statusAfter(
  status: CallStatus,
  told: CallStatus,
  answeredBy?: 'human' | 'machine',
): CallStatus {
  const next = told === 'completed' && answeredBy === 'machine' ? 'machine' : told;
  return order[next] > order[status] ? next : status;
}
