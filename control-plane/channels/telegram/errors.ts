import type { FailureAction, WireResponse } from '../contract.ts';
import { outcomeOfStatus, type Unaccepted } from '../http-outcome.ts';
import { jsonOf, numberOf, textOf, within } from '../untrusted-input.ts';

/** Telegram gives reasons as text; these say more than the code. */
const reasons: readonly (readonly [RegExp, FailureAction])[] = [
  [/bot was blocked by the user|user is deactivated/i, 'opt-out'],
  [
    /bot was kicked|not a member|can't initiate conversation|can't send messages to bots/i,
    'next-channel',
  ],
  [/chat not found|user not found|PEER_ID_INVALID|group chat was upgraded/i, 'next-channel'],
];

/** What an answer that is not `ok` means. */
export function errorOutcome(response: WireResponse, now: Date): Unaccepted {
  const body = jsonOf(response.body);
  const status = numberOf(body?.error_code) ?? response.status;
  const code = String(status);
  const detail = textOf(body?.description) ?? `HTTP ${response.status}`;
  const seconds = numberOf(within(body, 'parameters').retry_after);
  if (status === 429 && seconds !== undefined) {
    return { kind: 'throttled', scope: 'channel', afterMs: Math.max(seconds, 0) * 1_000, code };
  }
  if (status === 400 || status === 403) {
    const action = reasons.find(([pattern]) => pattern.test(detail))?.[1] ?? 'fail';
    return { kind: 'refused', code, detail, action };
  }
  // 401: the token was revoked; 404: no bot has such a token.
  if (status === 401 || status === 404) {
    return { kind: 'refused', code, detail, action: 'stop-channel' };
  }
  return outcomeOfStatus(response, now, { code, detail });
}
