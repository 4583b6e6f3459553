import { retryAfterMs } from '@drawbridge/retry/retry-after.ts';
import type { Failure, SendOutcome, WireResponse } from './contract.ts';

const second = 1_000;
/** The wait after a provider asked for one without naming its length. */
const throttledMs = 10 * second;
const unavailableMs = 5 * second;

export type Unaccepted = Exclude<SendOutcome, { kind: 'accepted' }>;

/**
 * What the HTTP status of a refusal means where the provider's code says no more. After 500, 502
 * and 504 it is unknown whether the message was accepted.
 */
export function outcomeOfStatus(
  response: WireResponse,
  now: Date,
  { code, detail }: Pick<Failure, 'code' | 'detail'>,
): Unaccepted {
  const { status } = response;
  const wait = retryAfterMs(response.headers['retry-after'], now);
  if (status === 429) {
    return { kind: 'throttled', scope: 'channel', afterMs: wait ?? throttledMs, code };
  }
  if (status === 503) return { kind: 'retry', reason: detail, afterMs: wait ?? unavailableMs };
  if (status === 401 || status === 402 || status === 403) {
    return { kind: 'refused', code, detail, action: 'stop-channel' };
  }
  if (status >= 400 && status < 500) return { kind: 'refused', code, detail, action: 'fail' };
  return { kind: 'unknown', reason: `HTTP ${status}` };
}
