import type { Failure, WireResponse } from '../contract.ts';
import { outcomeOfStatus, type Unaccepted } from '../http-outcome.ts';
import { jsonOf, textOf } from '../reading.ts';

/** The failure of a delivery report, in the gateway's own words. */
export function failureOf(code: string, detail: string): Failure {
  return { code, detail, action: 'fail' };
}

/** What an answer that is no success means: only its HTTP status is to be relied on. */
export function errorOutcome(response: WireResponse, now: Date): Unaccepted {
  const body = jsonOf(response.body);
  const code = textOf(body?.code) ?? String(response.status);
  const detail = textOf(body?.detail) ?? textOf(body?.message) ?? `HTTP ${response.status}`;
  return outcomeOfStatus(response, now, { code, detail });
}
