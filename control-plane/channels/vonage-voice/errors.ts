import type { WireResponse } from '../contract.ts';
import { outcomeOfStatus, type Unaccepted } from '../http-outcome.ts';
import { jsonOf, textOf } from '../untrusted-input.ts';

/** Vonage's errors are RFC 7807 documents, older ones `{ type, error_title }`. */
export function errorOutcome(response: WireResponse, now: Date): Unaccepted {
  return outcomeOfStatus(response, now, failureOf(response));
}

/** The kind of problem, and Vonage's sentence about it. */
export function failureOf(response: WireResponse): { code: string; detail: string } {
  const body = jsonOf(response.body);
  const fragment = textOf(body?.type)?.split('#').at(-1)?.split('/').at(-1);
  const code = fragment === undefined || fragment === '' ? String(response.status) : fragment;
  const title = textOf(body?.detail) ?? textOf(body?.title) ?? textOf(body?.error_title);
  return { code, detail: title ?? `HTTP ${response.status}` };
}
