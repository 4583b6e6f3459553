import { retryAfterMs } from '../authorities/retry-after.ts';
import type { Failure, SendOutcome, WireResponse } from './contract.ts';

const second = 1_000;
/** Asked of a provider that says to wait, and not how long. */
const throttledMs = 10 * second;
const unavailableMs = 5 * second;

export type Unaccepted = Exclude<SendOutcome, { kind: 'accepted' }>;

/**
 * What the HTTP status of a refusal means where the provider's code says no more. After 500, 502
 * and 504 nobody knows whether the message was taken.
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
