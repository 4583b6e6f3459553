import type { ConnectorFault } from '../contract.ts';
import { errorCode, fault, networkFault } from '../fault.ts';
import { mailboxTooLarge } from './mailboxes.ts';

/** Turns an error of imapflow into a fault; `where` names the server. */
export function imapFault(error: unknown, where: string): ConnectorFault {
  const { authenticationFailed, responseText, mailboxMissing } = (error ?? {}) as {
    readonly authenticationFailed?: unknown;
    readonly responseText?: unknown;
    readonly mailboxMissing?: unknown;
  };
  if (authenticationFailed === true) {
    return fault('access_denied', `${where} refuses this user or password.`, 'never');
  }
  if (mailboxMissing === true) {
    return fault('mailbox_missing', `${where} has no mailbox of that name.`, 'never');
  }
  const code = errorCode(error);
  if (code === mailboxTooLarge) {
    const message = `The mailbox of ${where} has more messages than are listed in one answer: move old ones to another one.`;
    return fault(mailboxTooLarge, message, 'later');
  }
  const network = networkFault(code, where);
  if (network !== undefined) return network;
  if (code === 'ERR_TLS_INVALID_CONTEXT' || code?.startsWith('ERR_OSSL') === true) {
    return fault('ca_invalid', `The setting ca holds no certificates (${code}).`, 'never');
  }
  if (typeof responseText === 'string' && responseText !== '') {
    const message = `${where} refused a command: ${responseText.slice(0, 300)}`;
    return fault('statement_failed', message, 'later');
  }
  const detail = code === undefined ? '' : ` (${code})`;
  return fault(
    'unreachable',
    `${where} closed the connection or did not answer${detail}.`,
    'later',
  );
}
