import type { ConnectorFault, Retry } from '../contract.ts';
import { errorCode, fault, networkFault } from '../fault.ts';
import { faultCodes } from '../sql/driver.ts';

type Row = readonly [code: string, message: string, retry: Retry];

const incomparable: Row = [faultCodes.incomparable, 'cannot convert the value:', 'never'];
const overloaded: Row = ['overloaded', 'has no room for another session.', 'later'];
const changed: Row = [faultCodes.collision, 'gave way to another session.', 'later'];

/** Errors of the server for which this product has a more helpful message than the server's. */
const byNumber: Readonly<Record<number, Row>> = {
  18456: ['access_denied', 'refuses this user or password.', 'never'],
  18452: ['access_denied', 'does not trust the domain of this user.', 'never'],
  18470: ['access_denied', 'has disabled this user.', 'never'],
  18486: ['access_denied', 'has locked this user out.', 'never'],
  18487: ['access_denied', 'says that the password of this user has expired.', 'never'],
  18488: ['access_denied', 'wants this user to change the password first.', 'never'],
  40615: ['access_denied', 'has a firewall that does not let this address in.', 'never'],
  4060: ['access_denied', 'has no database of that name, or does not let this user in.', 'never'],
  4064: ['access_denied', 'cannot open the default database of this user.', 'never'],
  916: ['access_denied', 'does not let this user use the database.', 'never'],
  229: ['access_denied', 'does not let this user do that:', 'never'],
  230: ['access_denied', 'does not let this user do that:', 'never'],
  262: ['access_denied', 'does not let this user do that:', 'never'],
  297: ['access_denied', 'does not let this user do that:', 'never'],
  2760: ['access_denied', 'does not let this user make tables there:', 'never'],
  1205: changed,
  3960: changed,
  3961: changed,
  2601: [faultCodes.collision, 'took the same row from another session.', 'later'],
  2627: [faultCodes.collision, 'took the same row from another session.', 'later'],
  2714: [faultCodes.collision, 'made the same table for another session.', 'later'],
  1222: ['busy', 'is waiting for a lock that another program holds.', 'later'],
  241: incomparable,
  242: incomparable,
  245: incomparable,
  248: incomparable,
  295: incomparable,
  8114: incomparable,
  8115: incomparable,
  8169: incomparable,
  3906: ['read_only', 'is read-only: is it a secondary replica?', 'never'],
  978: ['read_only', 'is a replica that serves only readers.', 'never'],
  10928: overloaded,
  10929: overloaded,
  17809: overloaded,
  701: overloaded,
  17142: ['unreachable', 'is paused.', 'later'],
  18401: ['unreachable', 'is being upgraded.', 'later'],
  18461: ['unreachable', 'serves only its administrator at the moment.', 'later'],
  6005: ['unreachable', 'is stopping.', 'later'],
  40613: ['unreachable', 'is starting or being moved.', 'later'],
  40197: ['unreachable', 'is starting or being moved.', 'later'],
};

/** Errors of the driver, before or beside what the server says. */
const byCode: Readonly<Record<string, Row>> = {
  EENCRYPT: ['tls_required', 'wants TLS, or has none: set "tls" to what it has.', 'never'],
  EBROWSER: [
    'instance_unasked',
    'is reached by its port from here, not by the name of an instance: set "port" in place of "instance", or let a bridge agent read it.',
    'never',
  ],
  EINSTLOOKUP: [
    'instance_unknown',
    'has no Browser that knows this instance (UDP 1434): give its port instead.',
    'later',
  ],
  ELOGIN: ['access_denied', 'refuses the login:', 'never'],
  ETIMEOUT: ['timeout', 'did not answer in time.', 'later'],
};

/** Turns an error of mssql into a fault; `where` names host and database, never credentials. */
export function mssqlFault(error: unknown, where: string): ConnectorFault {
  for (const cause of causesOf(error)) {
    const network = networkFault(errorCode(cause), where);
    if (network !== undefined) return network;
  }
  const detail = error instanceof Error ? error.message.replace(/\.$/, '') : '';
  const number = numberOf(error);
  const row =
    (number === undefined ? undefined : byNumber[number]) ?? byCode[errorCode(error) ?? ''];
  if (row !== undefined) {
    const [name, message, retry] = row;
    const sentence = message.endsWith(':') ? `${message} ${detail}.` : message;
    return fault(name, `${where} ${sentence}`, retry);
  }
  if (number !== undefined) {
    const message = `${where} refused a statement (error ${number}): ${detail}.`;
    return fault('statement_failed', message, 'never');
  }
  // The driver's own errors: a connection it lost or could not make.
  return fault('unreachable', `${where} closed the connection.`, 'later');
}

/** How deep errors are wrapped at most. */
const depthMax = 5;

function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (let each = error; each instanceof Error && causes.length < depthMax; ) {
    causes.push(each);
    const { originalError, cause } = each as { readonly originalError?: unknown; cause?: unknown };
    each = originalError ?? cause;
  }
  return causes;
}

function numberOf(error: unknown): number | undefined {
  const numbers = causesOf(error).map((one) => (one as { readonly number?: unknown }).number);
  return numbers.find((one) => typeof one === 'number');
}
