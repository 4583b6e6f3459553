import type { ConnectorFault } from '../contract.ts';
import { errorCode, fault, networkFault } from '../fault.ts';
import { faultCodes, tlsRequired } from '../sql/driver.ts';

/**
 * SQLSTATEs, or their classes, for which this product has a more helpful message than the server's.
 */
const byState: readonly (readonly [prefix: string, code: string, message: string, never?: true])[] =
  [
    ['28', 'access_denied', 'refuses this user or password.', true],
    ['3D', 'database_missing', 'has no database of that name.', true],
    ['42501', 'access_denied', 'does not let this user do that:', true],
    ['42P07', faultCodes.collision, 'made the same table for another session.'],
    ['23505', faultCodes.collision, 'took the same row from another session.'],
    ['40', faultCodes.collision, 'gave way to another session.'],
    ['22P02', faultCodes.incomparable, 'cannot compare the value with the column:', true],
    ['22003', faultCodes.incomparable, 'cannot compare the value with the column:', true],
    ['22007', faultCodes.incomparable, 'cannot compare the value with the column:', true],
    ['22008', faultCodes.incomparable, 'cannot compare the value with the column:', true],
    ['57014', 'timeout', 'gave up a statement that took too long.'],
    ['53', 'overloaded', 'has no room for another session.'],
    ['57', 'unreachable', 'is starting or stopping.'],
    ['08', 'unreachable', 'closed the connection.'],
    ['25006', 'read_only', 'is read-only: is it a standby?', true],
  ];

/** Turns an error of pg into a fault; `where` names host and database, never credentials. */
export function postgresFault(error: unknown, where: string): ConnectorFault {
  const code = errorCode(error);
  const network = networkFault(code, where);
  if (network !== undefined) return network;
  const isState = code !== undefined && /^[0-9A-Z]{5}$/.test(code);
  const detail = error instanceof Error ? error.message : '';
  if (!isState) {
    if (/does not support SSL/.test(detail)) {
      const message = `${where} has no TLS: set "tls" to "off", or enable it.`;
      return fault('tls_unavailable', message, 'never');
    }
    // An error of the pg driver itself: a connection it lost or could not make.
    const message = /timeout/i.test(detail) ? 'did not answer in time.' : 'closed the connection.';
    return fault('unreachable', `${where} ${message}`, 'later');
  }
  if (code === '28000' && /no encryption$/.test(detail)) {
    return fault('tls_required', `${where} ${tlsRequired}`, 'never');
  }
  const row = byState.find(([prefix]) => code.startsWith(prefix));
  if (row === undefined) {
    return fault('statement_failed', `${where} refused a statement (${code}): ${detail}.`, 'never');
  }
  const [, name, message, isFinal] = row;
  const sentence = message.endsWith(':') ? `${message} ${detail}.` : message;
  return fault(name, `${where} ${sentence}`, isFinal === true ? 'never' : 'later');
}
