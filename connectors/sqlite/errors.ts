import type { ConnectorFault } from '../contract.ts';
import { errorCode, fault } from '../fault.ts';
import { faultCodes } from '../sql/driver.ts';

/** Turns an error of SQLite, or of opening its file, into a fault; `file` is shown to people. */
export function sqliteFault(error: unknown, file: string): ConnectorFault {
  const code = errorCode(error) ?? '';
  const detail = error instanceof Error ? error.message : String(error);
  if (code === 'ENOENT' || code === 'SQLITE_CANTOPEN') {
    return fault(
      'file_missing',
      `The database file ${file} does not exist or cannot be opened.`,
      'later',
    );
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'SQLITE_PERM') {
    return fault(
      'access_denied',
      `The database file ${file} may not be read by this user.`,
      'never',
    );
  }
  if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT') {
    return fault('not_a_database', `${file} is not a SQLite database, or is damaged.`, 'never');
  }
  if (code.startsWith('SQLITE_CONSTRAINT_UNIQUE') || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    return fault(faultCodes.collision, `${file}: another writer was faster.`, 'later');
  }
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return fault('busy', `${file} is locked by another program.`, 'later');
  }
  if (code.startsWith('SQLITE_READONLY')) {
    return fault('read_only', `${file} cannot be written: ${detail}.`, 'never');
  }
  return fault('statement_failed', `${file}: ${detail}.`, 'never');
}
