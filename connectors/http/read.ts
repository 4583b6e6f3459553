import type { SourceRow } from '@drawbridge/records/document.ts';
import { documentsOf } from '@drawbridge/records/json.ts';
import { valueAt } from '@drawbridge/records/json-path.ts';
import { recordLimits } from '@drawbridge/records/limits.ts';
import { type ConnectorFault, limits, type ReadOutcome, type Unreachable } from '../contract.ts';
import { fault } from '../fault.ts';
import type { JsonApi } from '../outbound/json-api.ts';
import { tooManyPages } from './errors.ts';
import { refOf } from './list.ts';
import { pathOf, readPage } from './pages.ts';
import type { HttpSettings } from './settings.ts';

const rowLimits = { ...recordLimits, rowsMax: limits.rowsMax };
const childPagesMax = 1_000;

type Sections = Readonly<Record<string, readonly SourceRow[]>>;

/** Reads the document that `ref` names, with the sections that further requests bring. */
export async function readDocument(
  api: JsonApi,
  settings: HttpSettings,
  ref: string,
  signal: AbortSignal,
): Promise<ReadOutcome> {
  const url = ref.length > limits.refLengthMax ? undefined : api.urlOf(settings.read.path, { ref });
  if (url === undefined) return { kind: 'missing' };
  const outcome = await api.send({ method: 'GET', url }, signal);
  if (outcome.kind === 'too-large') return { kind: 'unusable', fault: outcome.fault };
  if (outcome.kind === 'collided')
    return unusable('header_not_unique', `${api.where} has a conflict about ${ref}.`);
  if (outcome.kind !== 'answer') return outcome;
  const found = valueAt(outcome.value, pathOf(settings.read.record));
  const all = Array.isArray(found) ? found : found === undefined || found === null ? [] : [found];
  // A search of the server may be looser than a ref is.
  const named = all.filter((record) => [undefined, ref].includes(refOf(record, settings)));
  const [record, second] = named;
  if (record === undefined) return { kind: 'missing' };
  if (second !== undefined) {
    return unusable(
      'header_not_unique',
      `${api.where} has ${named.length} documents called ${ref}.`,
    );
  }
  const origin = `${api.where}${settings.read.path}`;
  const read = documentsOf([record], { origin, limits: rowLimits });
  if (read.kind === 'unreadable') return unusable(read.error.code, read.error.message);
  const sections: Record<string, readonly SourceRow[]> = { ...read.documents[0] };
  let rowCount = Object.values(sections).reduce((sum, rows) => sum + rows.length, 0);
  for (const section of Object.keys(settings.children)) {
    const child = await readChild(
      api,
      settings,
      section,
      ref,
      sections,
      limits.rowsMax - rowCount,
      signal,
    );
    if (child.kind !== 'rows') return child;
    sections[section] = child.rows;
    rowCount += child.rows.length;
  }
  if (rowCount > limits.rowsMax) return tooManyRows(ref);
  return { kind: 'found', document: { ref, sections } };
}

function unusable(code: string, message: string): Extract<ReadOutcome, { kind: 'unusable' }> {
  return { kind: 'unusable', fault: fault(code, message, 'never') };
}

function tooManyRows(ref: string) {
  return unusable('too_many_rows', `${ref} has more than ${limits.rowsMax} rows.`);
}

type Child =
  | { readonly kind: 'rows'; readonly rows: readonly SourceRow[] }
  | { readonly kind: 'unusable'; readonly fault: ConnectorFault }
  | Unreachable;

/** The rows of one section, at most `rowsMax` of them. */
async function readChild(
  api: JsonApi,
  settings: HttpSettings,
  section: string,
  ref: string,
  { header }: Sections,
  rowsMax: number,
  signal: AbortSignal,
): Promise<Child> {
  const { path, records, paging } = settings.children[section]!;
  const columns = Object.entries(header?.[0]?.values ?? {});
  const values = Object.fromEntries(columns.map(([name, value]) => [name, value ?? '']));
  const url = api.urlOf(path, { ...values, ref });
  if (url === undefined) {
    return unusable('column_missing', `${ref} has no value for a place in ${path}.`);
  }
  const rows: SourceRow[] = [];
  const origin = `${api.where}${path}`;
  let state: string | undefined;
  let before: readonly unknown[] | undefined;
  for (let pages = 0; pages < childPagesMax; pages += 1) {
    const page = await readPage(api, { url, records, paging }, { state, before }, signal);
    if (page.kind === 'too-large') return { kind: 'unusable', fault: page.fault };
    if (page.kind !== 'page') return page;
    const read = documentsOf(page.records, { origin, limits: rowLimits });
    if (read.kind === 'unreadable') return unusable(read.error.code, read.error.message);
    for (const each of read.documents) {
      const [row] = each.header ?? [];
      if (row !== undefined) rows.push({ ...row, key: String(rows.length + 1) });
    }
    if (rows.length > rowsMax) return tooManyRows(ref);
    if (page.next === undefined) return { kind: 'rows', rows };
    state = page.next;
    before = page.records;
  }
  return { kind: 'unusable', fault: tooManyPages(api.where, childPagesMax) };
}
