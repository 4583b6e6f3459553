import type { Environment } from '../../platform/auth/principal.ts';
import type { Tx } from '../../platform/db/tx.ts';

/** Until this transaction ends, no other one submits what arrives of that connector. */
export async function lockArrivals(tx: Tx, connectorId: string): Promise<void> {
  await tx.rows("select pg_advisory_xact_lock(hashtextextended('arrival ' || $1, 0))", [
    connectorId,
  ]);
}

/**
 * Of these documents those that need no submission: `judging` while their verdict is to come, `sent`
 * once they may have gone out. What our own checks rejected went nowhere, and is not among them.
 */
export async function findSubmitted(
  tx: Tx,
  tenantId: string,
  environment: Environment,
  connectorId: string,
  refs: readonly string[],
): Promise<ReadonlyMap<string, 'judging' | 'sent'>> {
  const rows = await tx.rows<{ source_ref: string; is_judging: boolean }>(
    `select source_ref, bool_and(state in ('received', 'validating')) as is_judging from invoice
     where tenant_id = $1 and environment = $2 and source_ref = any($3) and connector_id = $4
       and (state <> 'rejected' or sent_at is not null)
     group by source_ref`,
    [tenantId, environment, refs, connectorId],
  );
  return new Map(rows.map((row) => [row.source_ref, row.is_judging ? 'judging' : 'sent']));
}
