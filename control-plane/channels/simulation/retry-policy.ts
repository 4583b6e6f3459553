/**
 * How one attempt to deliver a webhook ended; without a status nobody answered, or the connection
 * broke.
 */
interface Attempt {
  readonly url: string;
  /** The number of the attempt for this webhook, from 1. */
  readonly number: number;
  /** Milliseconds since the first attempt. */
  readonly ageMs: number;
  readonly status?: number;
  readonly retryAfterMs?: number;
}

/** Milliseconds to wait after a failed attempt; undefined: the provider gives up. */
export type RetryPolicy = (attempt: Attempt) => number | undefined;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** No further attempt. */
export const never: RetryPolicy = () => undefined;

/** Three attempts without waiting. */
export const thrice: RetryPolicy = ({ number }) => (number < 3 ? 0 : undefined);

/** Doubles each wait, up to a longest wait and a greatest age. */
function doubling(firstMs: number, longestMs: number, ageMsMax: number): RetryPolicy {
  return ({ number, ageMs }) =>
    ageMs >= ageMsMax ? undefined : Math.min(firstMs * 2 ** Math.min(number - 1, 30), longestMs);
}

/** These waits, one after another. */
export function schedule(...waitsMs: readonly number[]): RetryPolicy {
  return ({ number }) => waitsMs[number - 1];
}

/** Meta: at once, then less and less often, for seven days. */
export const meta: RetryPolicy = (attempt) =>
  attempt.number === 1 ? 0 : doubling(second, hour, 7 * day)(attempt);

/** Telegram: doubles, respects Retry-After, drops an update after a day, and stops at 410. */
export const telegram: RetryPolicy = (attempt) => {
  if (attempt.status === 410) return undefined;
  const wait = doubling(second, hour, day)(attempt);
  return wait === undefined ? undefined : Math.max(wait, attempt.retryAfterMs ?? 0);
};

/** RCS Business Messaging: waits of up to ten minutes, for seven days. */
export const rcs: RetryPolicy = doubling(second, 10 * minute, 7 * day);

/** Plivo: after one, two and four minutes. */
export const plivo: RetryPolicy = schedule(minute, 2 * minute, 4 * minute);

/** Vonage: every minute for a day. */
export const vonage: RetryPolicy = doubling(minute, minute, day);

/**
 * Twilio: once more when nobody answered, and not at all after an answer, whatever its status; `rc`
 * and `rp` in the address's fragment change this. All attempts are within 15 seconds.
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
