import type { Failure, FailureAction } from '../contract.ts';
import type { Unaccepted } from '../http-outcome.ts';
import { rowOf } from '../untrusted-input.ts';

/** Codes in the answer, whose HTTP status is always 200. */
const answered: Readonly<Record<string, FailureAction>> = {
  4: 'stop-channel', // credentials
  7: 'next-channel', // number barred
  8: 'stop-channel', // account barred
  9: 'stop-channel', // no credit
  11: 'stop-channel', // not enabled for HTTP
  14: 'stop-channel', // signature
  32: 'stop-channel', // signature and secret both
  33: 'next-channel', // number deactivated
};

/** Codes in a delivery report; 50 to 54 come from the Indian registry. */
const reported: Readonly<Record<string, readonly [FailureAction, string]>> = {
  1: ['fail', 'unknown'],
  2: ['next-channel', 'absent for now'],
  3: ['next-channel', 'absent for good'],
  4: ['opt-out', 'barred by the person'],
  5: ['next-channel', 'number being ported'],
  6: ['fail', 'taken for spam'],
  7: ['next-channel', 'handset busy'],
  8: ['fail', 'network error'],
  9: ['next-channel', 'illegal number'],
  10: ['fail', 'illegal message'],
  11: ['next-channel', 'no route'],
  12: ['next-channel', 'destination unreachable'],
  13: ['fail', 'age restriction'],
  14: ['next-channel', 'blocked by the carrier'],
  15: ['fail', 'prepaid credit of the person'],
  50: ['stop-channel', 'registered entity'],
  51: ['stop-channel', 'registered header'],
  52: ['stop-broadcast', 'registered content template'],
  53: ['opt-out', 'consent'],
  54: ['fail', 'regulation'],
};

const throttledMs = 1_000;
const internalMs = 5_000;

/** The failure in a delivery report. */
export function failureOf(code: string): Failure {
  const [action, detail] = rowOf(reported, code) ?? ['fail', `Vonage error ${code}`];
  return { code, detail, action };
}

/** What a `status` other than 0 means. */
export function refusalOfStatus(code: string, detail: string): Unaccepted {
  if (code === '1' || code === '10') {
    return { kind: 'throttled', scope: 'channel', afterMs: throttledMs, code };
  }
  if (code === '5') return { kind: 'retry', reason: detail, afterMs: internalMs };
  return { kind: 'refused', code, detail, action: rowOf(answered, code) ?? 'fail' };
}
