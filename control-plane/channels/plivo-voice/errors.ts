import type { WireResponse } from '../contract.ts';
import { outcomeOfStatus, type Unaccepted } from '../http-outcome.ts';
import { jsonOf, textOf } from '../untrusted-input.ts';

/** Plivo gives a sentence and no code; the HTTP status decides. */
export function errorOutcome(response: WireResponse, now: Date): Unaccepted {
  return outcomeOfStatus(response, now, failureOf(response));
}

/** The HTTP status as the code, with Plivo's sentence. */
export function failureOf(response: WireResponse): { code: string; detail: string } {
  const code = String(response.status);
  return { code, detail: textOf(jsonOf(response.body)?.error) ?? `HTTP ${code}` };
}
