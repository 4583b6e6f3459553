import type { FoundTable, SampleRow } from './database.ts';
import type { LeaveOut } from './looked-table.ts';

/** Values of a status of documents that are no invoices yet, or no more. */
const notInvoiced =
  /^(draft|drafted|entwurf|brouillon|borrador|bozza|rascunho|concept|draf|cancel|cancell?ed|void|voided|deleted|storniert|storno|annul[eé]e?|anulad[ao]|annullat[ao]|batal|dibatalkan|quote|quotation|pro ?forma|on hold|pending approval)$/i;
/** Values of a status of documents that are invoices. */
const invoiced =
  /^(posted|booked|paid|part(ial)?ly paid|unpaid|open|closed|sent|issued|final|finali[sz]ed|approved|authori[sz]ed|submitted|completed?|overdue|gebucht|bezahlt|offen|verbucht)$/i;

/** These are left out wherever a column is a status, seen or not. */
const alwaysLeftOut = ['Draft', 'Cancelled', 'Canceled', 'Void'];

const statusName = /status|state|stage|estado|statut/i;
const flagName =
  /^(?:is[ _]?)?(?:draft|cancell?ed|void(?:ed)?|storniert|deleted|(posted|booked|finali[sz]ed|gebucht))$/i;
const yes = /^(1|y|yes|true|t|x|ja|oui|si|sí)$/i;
const no = /^(0|n|no|false|f|nein|non)$/i;

/** Which documents of a table are drafts or cancelled, as a column of their headers says; undefined where none does. */
export function leaveOutOf(
  { columns, sample }: FoundTable,
  documentColumn: string | undefined,
): LeaveOut | undefined {
  for (const { name } of columns) {
    if (!statusName.test(name) && !flagName.test(name)) continue;
    const values = valuesOf(sample, name);
    if (values.length === 0 || !isSameInDocuments(sample, name, documentColumn)) continue;
    const found = byStatus(name, values) ?? byFlag(name, values);
    if (found !== undefined) return { column: name, values: found };
  }
  return undefined;
}

/** What is left out, for a person who decides about it. */
export function leaveOutReason({ column, values }: LeaveOut): string {
  const said = values.map((value) => `"${value}"`).join(', ');
  return `Left out as drafts or cancelled: what has ${said} in "${column}".`;
}

const valuesMax = 20;

/** A status has few values, of which some are known. */
function byStatus(name: string, values: readonly string[]): readonly string[] | undefined {
  if (!statusName.test(name) || values.length > valuesMax) return undefined;
  const left = values.filter((value) => notInvoiced.test(value));
  const isTold = left.length > 0 || values.some((value) => invoiced.test(value));
  // Where all seem to be drafts the column says something else.
  if (!isTold || left.length === values.length) return undefined;
  const seen = new Set(left.map((value) => value.toLowerCase()));
  return [...left, ...alwaysLeftOut.filter((value) => !seen.has(value.toLowerCase()))];
}

/** A column such as Cancelled or Posted, which holds yes or no. */
function byFlag(name: string, values: readonly string[]): readonly string[] | undefined {
  const isFlag = values.length === 2 && values.every((value) => yes.test(value) || no.test(value));
  if (!isFlag || !flagName.test(name)) return undefined;
  const [, isPosted] = flagName.exec(name) ?? [];
  const left = values.filter((value) => (isPosted === undefined ? yes : no).test(value));
  return left.length === 1 ? left : undefined;
}

function valuesOf(sample: readonly SampleRow[], column: string): readonly string[] {
  const all = sample.map((row) => row[column]?.trim() ?? '').filter((value) => value !== '');
  return [...new Set(all)];
}

/** A status of lines would leave out a part of an invoice. */
function isSameInDocuments(
  sample: readonly SampleRow[],
  column: string,
  documentColumn: string | undefined,
): boolean {
  if (documentColumn === undefined) return true;
  const seen = new Map<string, string>();
  return sample.every((row) => {
    const [document, value] = [row[documentColumn], row[column]];
    if (document === null || document === undefined || value === null || value === undefined) {
      return true;
    }
    const before = seen.get(document);
    seen.set(document, value);
    return before === undefined || before === value;
  });
}
