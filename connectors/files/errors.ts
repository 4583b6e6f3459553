import type { ConnectorFault } from '../contract.ts';
import { errorCode, fault } from '../fault.ts';

/** Turns a file system error into a fault; `path` is shown to people. */
export function filesFault(error: unknown, path: string): ConnectorFault {
  switch (errorCode(error)) {
    case 'ENOENT':
      return fault('folder_missing', `${path} does not exist. Is the share mounted?`, 'later');
    case 'ENOTDIR':
      return fault('not_a_folder', `${path} is not a folder.`, 'never');
    case 'EACCES':
    case 'EPERM':
      return fault('access_denied', `${path} may not be read or written by this user.`, 'never');
    case 'EROFS':
      return fault('read_only', `${path} is on a read-only file system.`, 'never');
    case 'ENOSPC':
    case 'EDQUOT':
      return fault('disk_full', `There is no room left for ${path}.`, 'later');
    case 'EMFILE':
    case 'ENFILE':
      return fault('overloaded', 'Too many files are open on this machine.', 'later');
    default:
      return fault('unreachable', `${path} could not be read or written.`, 'later');
  }
}
