import type { Failure, FailureAction, WireResponse } from '../contract.ts';
import { outcomeOfStatus, type Unaccepted } from '../http-outcome.ts';
import { jsonOf, rowOf, textOf } from '../untrusted-input.ts';

/** Codes in delivery reports that concern more than this one message. */
const reported: Readonly<Record<string, readonly [FailureAction, string]>> = {
  10: ['fail', 'invalid message'],
  20: ['fail', 'network error'],
  30: ['fail', 'taken for spam'],
  40: ['stop-channel', 'invalid source number'],
  50: ['next-channel', 'invalid destination number'],
  70: ['next-channel', 'destination permanently unavailable'],
  80: ['next-channel', 'destination temporarily unavailable'],
  90: ['next-channel', 'no route to the destination'],
  100: ['next-channel', 'prohibited by the carrier'],
  110: ['fail', 'message too long'],
  200: ['opt-out', 'the person stopped messages from this number'],
  420: ['fail', 'message expired'],
  900: ['stop-channel', 'insufficient credit'],
  910: ['stop-channel', 'account disabled'],
};

/** The failure in a delivery report. */
export function failureOf(code: string): Failure {
  const [action, detail] = rowOf(reported, code) ?? ['fail', `Plivo error ${code}`];
  return { code, detail, action };
}

/** What an unsuccessful answer means: Plivo gives a sentence and no code. */
export function errorOutcome(response: WireResponse, now: Date): Unaccepted {
  const detail = textOf(jsonOf(response.body)?.error) ?? `HTTP ${response.status}`;
  return outcomeOfStatus(response, now, { code: String(response.status), detail });
}
