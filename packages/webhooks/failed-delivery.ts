/**
 * When a delivery that failed is tried again, and how long it keeps back the later events of its
 * subject. The retry schedule plans the attempts. Others come beside it, and leave it as it is: when
 * the endpoint answers again, when a later event of the subject comes, and when the delivery has kept
 * others back for as long as it may.
 */
export interface FailedDelivery {
  /** When the schedule has it, where it is tried before that. */
  readonly scheduledAt: Date | null;
  /** Its last failure: an answer of the endpoint to another after this lets it go at once. */
  readonly wakeAfter: Date | null;
  /** Since when the endpoint answers others while this one fails. */
  readonly answeredSince: Date | null;
  /** It keeps nothing back any more. */
  readonly isSetAside: boolean;
}

/** When a delivery that failed again is tried next, and what is known of it then. */
export interface NextAttempt extends FailedDelivery {
  readonly nextAt: Date;
}

/** Nothing has failed yet. */
export const neverFailed: FailedDelivery = {
  scheduledAt: null,
  wakeAfter: null,
  answeredSince: null,
  isSetAside: false,
};

/** Whether an attempt at this time is beside the schedule. */
export function isExtraAttempt({ scheduledAt }: FailedDelivery, now: Date): boolean {
  return scheduledAt !== null && scheduledAt > now;
}

export interface Failure {
  readonly now: Date;
  /** When the schedule has the next attempt. */
  readonly retryAt: Date;
  /** When the endpoint last answered after it had failed. */
  readonly recoveredAt: Date | null;
  /** How long a delivery may keep others back while its endpoint answers. */
  readonly keepBackMs: number;
}

/**
 * What follows from one more failure. A delivery is set aside by the failure that comes when it has
 * kept others back for `keepBackMs` since its endpoint answers others; that attempt is made then,
 * whatever the schedule says.
 */
export function afterFailure(
  delivery: FailedDelivery,
  { now, retryAt, recoveredAt, keepBackMs }: Failure,
): NextAttempt {
  const { wakeAfter } = delivery;
  const hasRecovered = recoveredAt !== null && wakeAfter !== null && recoveredAt > wakeAfter;
  const answeredSince = delivery.answeredSince ?? (hasRecovered ? recoveredAt : null);
  const endsAt = answeredSince && new Date(answeredSince.getTime() + keepBackMs);
  const isSetAside = delivery.isSetAside || (endsAt !== null && endsAt <= now);
  const isEarlier = !isSetAside && endsAt !== null && endsAt < retryAt;
  return {
    nextAt: isEarlier ? endsAt : retryAt,
    scheduledAt: isEarlier ? retryAt : null,
    wakeAfter: wakeAfter !== null && wakeAfter > now ? wakeAfter : now,
    answeredSince,
    isSetAside,
  };
}
