import type { Hold, HoldStep } from '@drawbridge/lifecycle/submission-policy.ts';
import type { Tx } from '../../../platform/db/tx.ts';

/** Saves what was done with held invoices; `waitsFor` null: they wait for nobody any more. */
export async function saveHolds(
  tx: Tx,
  tenantId: string,
  rows: readonly { readonly id: string; readonly hold: Hold; readonly waitsFor: HoldStep | null }[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return;
  await tx.run(
    `update invoice set hold = n.hold, waits_for = n.waits_for, updated_at = $5
     from unnest($2::text[], $3::jsonb[], $4::text[]) as n (id, hold, waits_for)
     where tenant_id = $1 and invoice.id = n.id`,
    [
      tenantId,
      rows.map(({ id }) => id),
      rows.map(({ hold }) => JSON.stringify(hold)),
      rows.map(({ waitsFor }) => waitsFor),
      now,
    ],
  );
}
