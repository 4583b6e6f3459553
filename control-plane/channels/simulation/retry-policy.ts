/** How one attempt to deliver a webhook ended; no status: nobody was there, or the line broke. */
export interface Attempt {
  readonly url: string;
  /** Of this webhook, counted from 1. */
  readonly number: number;
  /** Since it was first tried. */
  readonly ageMs: number;
  readonly status?: number;
  readonly retryAfterMs?: number;
}

/** How long a provider waits after a failed attempt, undefined when it gives up. */
export type RetryPolicy = (attempt: Attempt) => number | undefined;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** No second attempt. */
export const never: RetryPolicy = () => undefined;

/** Three attempts without waiting. */
export const thrice: RetryPolicy = ({ number }) => (number < 3 ? 0 : undefined);

/** Waits twice as long each time, up to a longest wait and a greatest age. */
export function doubling(firstMs: number, longestMs: number, ageMsMax: number): RetryPolicy {
  return ({ number, ageMs }) =>
    ageMs >= ageMsMax ? undefined : Math.min(firstMs * 2 ** Math.min(number - 1, 30), longestMs);
}

/** These waits, one after the other. */
export function schedule(...waitsMs: readonly number[]): RetryPolicy {
  return ({ number }) => waitsMs[number - 1];
}

/** Meta: at once, then ever more rarely, for seven days. */
export const meta: RetryPolicy = (attempt) =>
  attempt.number === 1 ? 0 : doubling(second, hour, 7 * day)(attempt);

/** Telegram: doubles, heeds Retry-After, drops an update after a day; gone is gone. */
export const telegram: RetryPolicy = (attempt) => {
  if (attempt.status === 410) return undefined;
  const wait = doubling(second, hour, day)(attempt);
  return wait === undefined ? undefined : Math.max(wait, attempt.retryAfterMs ?? 0);
};

/** RCS Business Messaging: gaps up to ten minutes, for seven days. */
export const rcs: RetryPolicy = doubling(second, 10 * minute, 7 * day);

/** Plivo: after one, two and four minutes. */
export const plivo: RetryPolicy = schedule(minute, 2 * minute, 4 * minute);

/** Vonage: every minute for a day. */
export const vonage: RetryPolicy = doubling(minute, minute, day);

/**
 * Twilio: once more when nobody was there, and not at all after an answer, whatever it was; `rc`
 * and `rp` in the address's fragment say otherwise. All of it within 15 seconds.
 */
export const twilio: RetryPolicy = ({ url, number, ageMs, status }) => {
  const mark = url.indexOf('#');
  const asked = new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
  const count = Math.min(Math.max(Number(asked.get('rc') ?? 1) || 0, 0), 5);
  const kinds = (asked.get('rp') ?? 'ct').split(',');
  const kind = status === undefined ? 'ct' : `${Math.floor(status / 100)}xx`;
  if (number > count || ageMs >= 15 * second) return undefined;
  return kinds.includes('all') || kinds.includes(kind) ? 0 : undefined;
};
