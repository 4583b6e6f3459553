import type { Sent } from '../../messages/sending/sender-contract.ts';
import type { Halt } from './in-flight.ts';

/** What the answers to a batch mean for the network, the template and the app; pure. */
export interface BatchConsequences {
  /** For each complaint of the network, how long it wants no messages, in milliseconds. */
  readonly slowDownsMs: readonly number[];
  /** Some messages will be retried. */
  readonly willRetry: boolean;
  /** The first refusal that concerns more than one message. */
  readonly halt: Halt | undefined;
}

const haltReasons: Readonly<Partial<Record<string, string>>> = {
  'stop-broadcast': 'template_refused',
  'stop-channel': 'app_stopped',
};
const detailMax = 500;

export function consequencesOf(sent: readonly Sent[]): BatchConsequences {
  const slowDownsMs: number[] = [];
  let willRetry = false;
  let halt: Halt | undefined;
  for (const { outcome } of sent) {
    if (outcome.kind === 'throttled' && outcome.scope === 'channel') {
      slowDownsMs.push(outcome.afterMs);
      willRetry = true;
    } else if (outcome.kind === 'retry' || outcome.kind === 'waiting') {
      willRetry = true;
    } else if (outcome.kind === 'refused') {
      const reason = haltReasons[outcome.action];
      const detail = `${outcome.code}: ${outcome.detail}`.slice(0, detailMax);
      if (reason !== undefined) halt ??= { reason, detail };
    }
  }
  return { slowDownsMs, willRetry, halt };
}
