import { retryAfterMs } from '@drawbridge/retry/retry-after.ts';
import type { Failure, FailureAction, SendOutcome, WireResponse } from '../contract.ts';
import { type JsonObject, jsonOf, numberOf, textOf, within } from '../untrusted-input.ts';

/** What an error code of the Cloud API means for us. */
type Meaning =
  | FailureAction
  | { readonly throttled: 'channel' | 'pair'; readonly afterMs: number }
  | { readonly retryAfterMs: number };

const second = 1_000;
const minute = 60 * second;

/** The published codes; a code that is not listed only fails its message. */
const meanings: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  ...each([0, 3, 10, 190], 'stop-channel'), // token, permissions
  ...each([368, 131031, 131037, 131042, 131044, 131045, 131063], 'stop-channel'), // account
  ...each([4, 80007, 133016], { throttled: 'channel', afterMs: minute }),
  [130429, { throttled: 'channel', afterMs: second }],
  [131048, { throttled: 'channel', afterMs: minute }], // spam rate
  [131056, { throttled: 'pair', afterMs: 6 * second }],
  ...each([131000, 131016], { retryAfterMs: 5 * second }),
  [131057, { retryAfterMs: minute }], // maintenance, or the number is being upgraded
  [133004, { retryAfterMs: minute }],
  ...each([131026, 130497, 131062], 'next-channel'), // not reachable here
  ...each([131049, 130472, 131064], 'next-channel'), // caps of the network: not today
  [131050, 'opt-out'],
  [131047, 'offer-template'],
  ...each([132000, 132001, 132005, 132007, 132008, 132012], 'stop-broadcast'),
  ...each([132015, 132016, 132068, 132069], 'stop-broadcast'),
]);

function each(codes: readonly number[], meaning: Meaning): [number, Meaning][] {
  return codes.map((code) => [code, meaning]);
}

function meaningOf(code: number | undefined): Meaning | undefined {
  if (code === undefined) return undefined;
  return code >= 200 && code <= 299 ? 'stop-channel' : meanings.get(code);
}

/** The failure in a status webhook, after which the same message cannot simply be retried. */
export function failureOf(error: JsonObject): Failure {
  const meaning = meaningOf(numberOf(error.code));
  return {
    code: textOf(error.code) ?? 'unknown',
    detail: detailOf(error),
    action: typeof meaning === 'string' ? meaning : 'fail',
  };
}

/** What an unsuccessful answer means for the message or template. */
export function errorOutcome(
  response: WireResponse,
  now: Date,
): Exclude<SendOutcome, { kind: 'accepted' }> {
  const error = within(jsonOf(response.body), 'error');
  const meaning = meaningOf(numberOf(error.code)) ?? meaningOfStatus(response.status);
  const code = textOf(error.code) ?? String(response.status);
  const wait = retryAfterMs(response.headers['retry-after'], now);
  if (meaning === undefined) return { kind: 'unknown', reason: `HTTP ${response.status}` };
  if (typeof meaning === 'string') {
    return { kind: 'refused', code, detail: detailOf(error), action: meaning };
  }
  if ('throttled' in meaning) {
    return { kind: 'throttled', scope: meaning.throttled, afterMs: wait ?? meaning.afterMs, code };
  }
  const afterMs = wait ?? meaning.retryAfterMs;
  return { kind: 'retry', reason: `${code}: ${detailOf(error)}`, afterMs };
}

/** Used for an answer without a known code; undefined when the message may have been accepted. */
function meaningOfStatus(status: number): Meaning | undefined {
  if (status === 429) return { throttled: 'channel', afterMs: minute };
  if (status === 503) return { retryAfterMs: 5 * second };
  if (status === 401 || status === 403) return 'stop-channel';
  return status >= 400 && status < 500 ? 'fail' : undefined;
}

function detailOf(error: JsonObject): string {
  const details = textOf(within(error, 'error_data').details);
  return details ?? textOf(error.message) ?? textOf(error.title) ?? 'no details given';
}
