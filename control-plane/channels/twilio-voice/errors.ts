import type { FailureAction, WireResponse } from '../contract.ts';
import { outcomeOfStatus, type Unaccepted } from '../http-outcome.ts';
import { jsonOf, rowOf, textOf } from '../untrusted-input.ts';

/** Codes that concern more than this one call. */
const actions: Readonly<Record<string, FailureAction>> = {
  20003: 'stop-channel', // authentication
  20005: 'stop-channel', // account not active
  21210: 'stop-channel', // the sender's number is not verified
  21212: 'stop-channel', // the sender's number is invalid
  21211: 'next-channel', // the recipient's number is invalid
  21214: 'next-channel', // cannot be reached
  21215: 'stop-channel', // geographic permission
};

/** What an unsuccessful answer means. */
export function errorOutcome(response: WireResponse, now: Date): Unaccepted {
  const { code, detail } = failureOf(response);
  const action = rowOf(actions, code);
  if (action !== undefined && response.status < 500) {
    return { kind: 'refused', code, detail, action };
  }
  return outcomeOfStatus(response, now, { code, detail });
}

/** Twilio's code and sentence, else the HTTP status. */
export function failureOf({ status, body }: WireResponse): { code: string; detail: string } {
  const told = jsonOf(body);
  return {
    code: textOf(told?.code) ?? String(status),
    detail: textOf(told?.message) ?? `HTTP ${status}`,
  };
}
