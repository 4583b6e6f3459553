import type { FailureAction, WireResponse } from '../contract.ts';
import { outcomeOfStatus, type Unaccepted } from '../http-outcome.ts';
import { jsonOf, rowOf, textOf } from '../reading.ts';

/** Codes that mean more than that this call failed. */
const actions: Readonly<Record<string, FailureAction>> = {
  20003: 'stop-channel', // authentication
  20005: 'stop-channel', // account not active
  21210: 'stop-channel', // the sender's number is not verified
  21212: 'stop-channel', // the sender's number is invalid
  21211: 'next-channel', // the recipient's number is invalid
  21214: 'next-channel', // cannot be reached
  21215: 'stop-channel', // geographic permission
};

/** What an answer that is no success means. */
export function errorOutcome(response: WireResponse, now: Date): Unaccepted {
  const body = jsonOf(response.body);
  const code = textOf(body?.code) ?? String(response.status);
  const detail = textOf(body?.message) ?? `HTTP ${response.status}`;
  const action = rowOf(actions, code);
  if (action !== undefined && response.status < 500) {
    return { kind: 'refused', code, detail, action };
  }
  return outcomeOfStatus(response, now, { code, detail });
}
