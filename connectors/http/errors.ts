import type { ConnectorFault } from '../contract.ts';
import { fault } from '../fault.ts';

/** A link of the answer leads away from the server, where the credentials do not belong. */
export function linkElsewhere(where: string): ConnectorFault {
  const message = `${where} names a next page on another server, which is not asked.`;
  return fault('link_elsewhere', message, 'never');
}

/** More pages than are read. */
export function tooManyPages(where: string, pagesMax: number): ConnectorFault {
  const message = `${where} goes on after ${pagesMax} pages: ask for larger ones.`;
  return fault('too_many_pages', message, 'never');
}

/** 404 for a whole list: it was never there, or has moved. */
export function listMissing(where: string, path: string): ConnectorFault {
  const message = `${where} has nothing at ${path} (404): check "list.path" and "url".`;
  return fault('list_missing', message, 'later');
}

/** No record has a value where the setting `setting` says. */
export function nowhere(
  where: string,
  records: number,
  path: string,
  setting: string,
): ConnectorFault {
  const message = `${where} lists ${records} records, and none has a value at ${path}: check "${setting}".`;
  return fault('path_wrong', message, 'never');
}
