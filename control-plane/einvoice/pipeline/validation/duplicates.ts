import { profileById } from '@drawbridge/profiles/registry.ts';
import { rejection, stagesPassed } from '@drawbridge/validation/source/verdict.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { type DocumentKey, findDuplicates } from '../store.ts';
import type { CheckedItem } from './check-document.ts';

/** A checked item; `duplicateOf` is the earlier invoice of the same document. */
export interface DecidedItem extends CheckedItem {
  readonly duplicateOf?: string;
}

/** Of documents that were submitted before, as which invoice: by the ids of those that say it now. */
export async function findEarlier(
  tx: Tx,
  tenantId: string,
  items: readonly CheckedItem[],
): Promise<ReadonlyMap<string, string>> {
  const passed = items.filter(({ verdict }) => verdict.kind === 'passed');
  const environments = Map.groupBy(passed, ({ item }) => item.invoice.environment);
  const found = [...environments].map(async ([environment, group]) => {
    const keys = group.flatMap(documentKey);
    const rows = await findDuplicates(tx, tenantId, environment, keys);
    const earlier = new Map(rows.map((row) => [row.id, row.earlier]));
    addDuplicatesWithinBatch(keys, earlier);
    return [...earlier];
  });
  return new Map((await Promise.all(found)).flat());
}

/** What is the same of two submissions of one document; none where the document says too little. */
export function documentKey({ item, verdict }: CheckedItem): DocumentKey[] {
  const { seller, number, documentType = '', issueYear = 0 } = verdict.identity;
  return seller === undefined || number === undefined
    ? []
    : [{ id: item.invoice.id, seller, number, documentType, issueYear }];
}

/** Documents of this batch are not in the database yet, so they are compared with each other. */
function addDuplicatesWithinBatch(
  keys: readonly DocumentKey[],
  earlier: Map<string, string>,
): void {
  const first = new Map<string, string>();
  for (const { id, ...key } of keys.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const document = JSON.stringify([key.seller, key.number, key.documentType, key.issueYear]);
    const known = first.get(document);
    if (known === undefined) first.set(document, id);
    else if (!earlier.has(id)) earlier.set(id, known);
  }
}

/** A document that was submitted before is rejected, or has a warning where the connector takes it again. */
export function markDuplicate(
  checked: CheckedItem,
  duplicateOf: string | undefined,
  isStrict: boolean,
): DecidedItem {
  const { item, verdict } = checked;
  if (duplicateOf === undefined || verdict.kind !== 'passed') return checked;
  const { profile } = item.invoice;
  const message = `This document (seller, number, type and year) was submitted before, as ${duplicateOf}.`;
  if (isStrict) {
    const advice = `${message} Once that one is rejected, or cancelled by its authority, submit this one again.`;
    const rejected = rejection(profileById(profile)!, 'DUPLICATE', advice, stagesPassed);
    return { ...checked, verdict: rejected, duplicateOf };
  }
  const warning = {
    field: '/',
    rule: `${profile}-DUPLICATE`,
    message,
    severity: 'warning',
  } as const;
  const warned = { ...verdict, warnings: [...verdict.warnings, warning] };
  return { ...checked, verdict: warned, duplicateOf };
}
