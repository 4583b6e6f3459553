import type { Failure, WireResponse } from '../contract.ts';
import { outcomeOfStatus, type Unaccepted } from '../http-outcome.ts';
import { jsonOf, textOf } from '../untrusted-input.ts';

/** The failure in a delivery report, in the gateway's own words. */
export function failureOf(code: string, detail: string): Failure {
  return { code, detail, action: 'fail' };
}

/** What an unsuccessful answer means: only its HTTP status is reliable. */
export function errorOutcome(response: WireResponse, now: Date): Unaccepted {
  const body = jsonOf(response.body);
  const code = textOf(body?.code) ?? String(response.status);
  const detail = textOf(body?.detail) ?? textOf(body?.message) ?? `HTTP ${response.status}`;
  return outcomeOfStatus(response, now, { code, detail });
}
