import { type CimObject, groupsOf, textOf } from '@drawbridge/cim/json.ts';
import { apply } from '@drawbridge/mapping/apply.ts';
import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';

/**
 * An earlier invoice that its authority cleared. An ERP rarely holds its identifier where a note that
 * corrects it is read.
 */
export interface ClearedInvoice {
  /** What names its seller, as of every document. */
  readonly seller: string;
  readonly number: string;
  readonly uin: string;
}

/** The numbers of invoices that a source document corrects without naming their identifiers. */
export function correctedNumbers(
  source: SourceDocument,
  mapping: Mapping | undefined,
): readonly string[] {
  const fields = mapping?.fields.filter(({ target }) => target.startsWith('preceding_invoices[]'));
  if (fields === undefined || fields.length === 0) return [];
  return groupsOf(apply(source, { ...mapping!, fields }).cim.preceding_invoices).flatMap(
    ({ number, uin }) => (textOf(uin) === undefined ? (textOf(number) ?? []) : []),
  );
}

/** The document with the identifiers of the invoices that it corrects, where they are known. */
export function withIdentifiers(
  cim: CimObject,
  seller: string | undefined,
  cleared: readonly ClearedInvoice[],
): CimObject {
  if (cleared.length === 0) return cim;
  const preceding_invoices = groupsOf(cim.preceding_invoices).map((each) => {
    const number = textOf(each.number);
    const isIt = (one: ClearedInvoice) => one.seller === seller && one.number === number;
    const [found, ...others] = new Set(cleared.filter(isIt).map(({ uin }) => uin));
    const isLacking = textOf(each.uin) === undefined;
    // Series that begin anew have several of one number: which is meant nobody knows.
    return isLacking && found !== undefined && others.length === 0 ? { ...each, uin: found } : each;
  });
  return { ...cim, preceding_invoices };
}
