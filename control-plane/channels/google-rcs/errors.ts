import type { FailureAction, WireResponse } from '../contract.ts';
import { outcomeOfStatus, type Unaccepted } from '../http-outcome.ts';
import { jsonOf, rowOf, textOf, within } from '../untrusted-input.ts';

/** Google's canonical codes that say more than the HTTP status. */
const actions: Readonly<Record<string, FailureAction>> = {
  NOT_FOUND: 'next-channel', // the number cannot be reached by RCS
  PERMISSION_DENIED: 'next-channel', // not launched on that person's network
  UNAUTHENTICATED: 'stop-channel',
  INVALID_ARGUMENT: 'fail',
};

/** What an unsuccessful answer means. */
export function errorOutcome(response: WireResponse, now: Date): Unaccepted {
  const error = within(jsonOf(response.body), 'error');
  const code = textOf(error.status) ?? String(response.status);
  const detail = textOf(error.message) ?? `HTTP ${response.status}`;
  const action = rowOf(actions, code);
  if (action !== undefined && response.status < 500) {
    return { kind: 'refused', code, detail, action };
  }
  return outcomeOfStatus(response, now, { code, detail });
}
