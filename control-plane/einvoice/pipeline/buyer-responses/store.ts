import type { Environment } from '../../../platform/auth/principal.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { BuyerResponse } from '../../invoices/store.ts';

/** Takes the turn to ask a network, for that long; false when another node has it. */
export async function claimPollTurn(
  tx: Tx,
  environment: Environment,
  authority: string,
  forMs: number,
): Promise<boolean> {
  const taken = await tx.run(
    `insert into authority_poll as known (environment, authority, due_at)
     values ($1, $2, clock_timestamp() + $3 * interval '1 ms')
     on conflict (environment, authority) do update set due_at = excluded.due_at
     where known.due_at <= clock_timestamp()`,
    [environment, authority, forMs],
  );
  return taken === 1;
}

/** The ids of those answers that were recorded before. */
export function findSeenResponses(
  tx: Tx,
  environment: Environment,
  ids: readonly string[],
): Promise<{ id: string }[]> {
  return tx.rows('select id from buyer_answer where environment = $1 and id = any($2)', [
    environment,
    ids,
  ]);
}

export async function markResponseSeen(
  tx: Tx,
  environment: Environment,
  id: string,
): Promise<void> {
  await tx.run(
    'insert into buyer_answer (environment, id) values ($1, $2) on conflict do nothing',
    [environment, id],
  );
}

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
