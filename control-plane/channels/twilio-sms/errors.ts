import type { Failure, FailureAction, WireResponse } from '../contract.ts';
import { outcomeOfStatus, type Unaccepted } from '../http-outcome.ts';
import { jsonOf, rowOf, textOf } from '../untrusted-input.ts';

/** Codes that concern more than this one message. */
const actions: Readonly<Record<string, FailureAction>> = {
  20003: 'stop-channel', // authentication
  20005: 'stop-channel', // account not active
  21606: 'stop-channel', // the sender cannot send SMS
  21610: 'opt-out',
  21612: 'next-channel', // no route to this number from this sender
  21614: 'next-channel', // not a mobile number
  30002: 'stop-channel', // account suspended
  30003: 'next-channel', // unreachable handset
  30004: 'next-channel', // blocked
  30005: 'next-channel', // unknown handset
  30006: 'next-channel', // landline
  63016: 'offer-template',
};

/** The account's queue is full: Twilio accepts nothing more for a while. */
const queueFull = '21611';
const queueFullMs = 60_000;

/** The failure in a delivery report. */
export function failureOf(code: string): Failure {
  return { code, detail: `Twilio error ${code}`, action: rowOf(actions, code) ?? 'fail' };
}

/** What an unsuccessful answer means. */
export function errorOutcome(response: WireResponse, now: Date): Unaccepted {
  const body = jsonOf(response.body);
  const code = textOf(body?.code) ?? String(response.status);
  const detail = textOf(body?.message) ?? `HTTP ${response.status}`;
  if (code === queueFull)
    return { kind: 'throttled', scope: 'channel', afterMs: queueFullMs, code };
  const action = rowOf(actions, code);
  if (action !== undefined && response.status < 500) {
    return { kind: 'refused', code, detail, action };
  }
  return outcomeOfStatus(response, now, { code, detail });
}
