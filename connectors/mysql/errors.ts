import type { ConnectorFault, Retry } from '../contract.ts';
import { errorCode, fault, networkFault } from '../fault.ts';
import { faultCodes, tlsRequired } from '../sql/driver.ts';

const passwordExpired =
  "says that this user's password has expired: an administrator sets a new one, and then it is changed here.";
const accountLocked =
  'has locked this user: an administrator unlocks it (ALTER USER … ACCOUNT UNLOCK).';

/** Server errors for which this product has a more helpful message than the server's. */
const byCode: Readonly<Record<string, readonly [code: string, message: string, retry: Retry]>> = {
  // MariaDB says it too when it wants TLS.
  ER_ACCESS_DENIED_ERROR: [
    'access_denied',
    'refuses this user or password, or takes nobody without TLS ("tls").',
    'never',
  ],
  ER_MUST_CHANGE_PASSWORD: ['access_denied', passwordExpired, 'never'],
  ER_MUST_CHANGE_PASSWORD_LOGIN: ['access_denied', passwordExpired, 'never'],
  ER_ACCOUNT_HAS_BEEN_LOCKED: ['access_denied', accountLocked, 'never'],
  // 4151 of MariaDB, which the driver calls as MySQL calls that number.
  ER_BULK_PARSER_INCOMPLETE_ESCAPE_SEQUENCE: ['access_denied', accountLocked, 'never'],
  ER_SECURE_TRANSPORT_REQUIRED: ['tls_required', tlsRequired, 'never'],
  ER_DBACCESS_DENIED_ERROR: ['access_denied', 'does not let this user use the database.', 'never'],
  ER_TABLEACCESS_DENIED_ERROR: ['access_denied', 'does not let this user do that:', 'never'],
  ER_COLUMNACCESS_DENIED_ERROR: ['access_denied', 'does not let this user do that:', 'never'],
  ER_BAD_DB_ERROR: ['database_missing', 'has no database of that name.', 'never'],
  ER_DUP_ENTRY: [faultCodes.collision, 'took the same row from another session.', 'later'],
  ER_LOCK_DEADLOCK: [faultCodes.collision, 'gave way to another session.', 'later'],
  ER_CHECKREAD: [faultCodes.collision, 'saw the row change under it.', 'later'],
  ER_LOCK_WAIT_TIMEOUT: ['busy', 'is waiting for a lock that another program holds.', 'later'],
  ER_CON_COUNT_ERROR: ['overloaded', 'has no room for another session.', 'later'],
  ER_TOO_MANY_USER_CONNECTIONS: ['overloaded', 'has no room for another session.', 'later'],
  ER_USER_LIMIT_REACHED: ['overloaded', 'has no room for another session.', 'later'],
  ER_STATEMENT_TIMEOUT: ['timeout', 'gave up a statement that took too long.', 'later'],
  ER_QUERY_TIMEOUT: ['timeout', 'gave up a statement that took too long.', 'later'],
  ER_CONNECTION_KILLED: ['unreachable', 'ended the session.', 'later'],
  ER_QUERY_INTERRUPTED: ['unreachable', 'ended the statement.', 'later'],
  ER_SERVER_SHUTDOWN: ['unreachable', 'is stopping.', 'later'],
  HANDSHAKE_NO_SSL_SUPPORT: [
    'tls_unavailable',
    'has no TLS: set "tls" to "off", or enable it.',
    'never',
  ],
  ER_OPTION_PREVENTS_STATEMENT: ['read_only', 'is read-only: is it a replica?', 'never'],
};

/** Turns an error of mysql2 into a fault; `where` names host and database, never credentials. */
export function mysqlFault(error: unknown, where: string): ConnectorFault {
  const code = errorCode(error);
  const network = networkFault(code, where);
  if (network !== undefined) return network;
  const detail = error instanceof Error ? error.message : '';
  const row = code === undefined ? undefined : byCode[code];
  if (row !== undefined) {
    const [name, message, retry] = row;
    const sentence = message.endsWith(':') ? `${message} ${detail}.` : message;
    return fault(name, `${where} ${sentence}`, retry);
  }
  if (code === 'HANDSHAKE_SSL_ERROR') {
    return fault(
      'unreachable',
      `${where} was not accepted by its certificate: ${detail}.`,
      'later',
    );
  }
  if (code?.startsWith('ER_') === true) {
    return fault('statement_failed', `${where} refused a statement (${code}): ${detail}.`, 'never');
  }
  // The driver's own errors: a connection it lost or could not make.
  return fault('unreachable', `${where} closed the connection.`, 'later');
}
