import type { Environment } from '../../../platform/auth/principal.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { BuyerResponse } from '../../invoices/store.ts';

/** The invoices of that number between these addresses (`scheme:id`), of any tenant. */
export function findAnsweredInvoices(
  tx: Tx,
  environment: Environment,
  { number, seller, buyer }: { number: string; seller: string; buyer: string },
): Promise<{ tenant_id: string; id: string }[]> {
  return tx.rows('select tenant_id, id from find_answered($1, $2, $3, $4)', [
    environment,
    number,
    seller,
    buyer,
  ]);
}

/** Saves an answer of a buyer, unless a later one is stored: answers may arrive in any order. */
export async function saveBuyerResponse(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  response: BuyerResponse,
): Promise<void> {
  if (ids.length === 0) return;
  await tx.run(
    `update invoice set buyer_response = $3::jsonb
     where tenant_id = $1 and id = any($2)
       and coalesce(buyer_response ->> 'at', '') <= $3::jsonb ->> 'at'`,
    [tenantId, ids, JSON.stringify(response)],
  );
}
