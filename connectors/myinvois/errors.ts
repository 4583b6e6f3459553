import type { ConnectorFault } from '../contract.ts';
import { fault } from '../fault.ts';

/** An answer of another form than MyInvois publishes. */
export function answerUnexpected(what: string): ConnectorFault {
  return fault('answer_unreadable', `MyInvois answered ${what} in another form.`, 'later');
}
