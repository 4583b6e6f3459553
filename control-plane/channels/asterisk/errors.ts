import type { WireResponse } from '../contract.ts';
import { outcomeOfStatus, type Unaccepted } from '../http-outcome.ts';
import { jsonOf, textOf } from '../untrusted-input.ts';

/** ARI gives a sentence and no code. 503: Asterisk is still starting, and accepted nothing. */
export function errorOutcome(response: WireResponse, now: Date): Unaccepted {
  return outcomeOfStatus(response, now, failureOf(response));
}

/** The HTTP status as the code, with Asterisk's sentence. */
export function failureOf(response: WireResponse): { code: string; detail: string } {
  const code = String(response.status);
  const body = jsonOf(response.body);
  return { code, detail: textOf(body?.message) ?? textOf(body?.error) ?? `HTTP ${code}` };
}
