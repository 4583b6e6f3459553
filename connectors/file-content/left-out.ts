import type { SourceRow } from '@drawbridge/records/document.ts';
import type { ContentSettings } from './settings.ts';

/** Whether a document with this header is left out, such as a draft. */
export function isLeftOut(
  header: SourceRow | undefined,
  { leaveOut }: Pick<ContentSettings, 'leaveOut'>,
): boolean {
  const value = leaveOut === undefined ? undefined : header?.values[leaveOut.column];
  if (leaveOut === undefined || value === undefined || value === null) return false;
  const said = value.trim().toLowerCase();
  return leaveOut.values.some((each) => each.trim().toLowerCase() === said);
}
