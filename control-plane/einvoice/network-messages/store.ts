import type { Environment } from '../../platform/auth/principal.ts';
import type { Tx } from '../../platform/db/tx.ts';

/** Takes the turn to ask a network, for that long; false when another node has it. */
export async function claimPollTurn(
  tx: Tx,
  environment: Environment,
  turn: string,
  forMs: number,
): Promise<boolean> {
  const taken = await tx.run(
    `insert into authority_poll as known (environment, authority, due_at)
     values ($1, $2, clock_timestamp() + $3 * interval '1 ms')
     on conflict (environment, authority) do update set due_at = excluded.due_at
     where known.due_at <= clock_timestamp()`,
    [environment, turn, forMs],
  );
  return taken === 1;
}

/** The ids of those messages of a network that were looked at before. */
export async function findSeen(
  tx: Tx,
  environment: Environment,
  network: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.rows<{ id: string }>(
    'select id from seen_message where environment = $1 and network = $2 and id = any ($3)',
    [environment, network, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Remembers a message; `unroutedTo` is the participant that nobody has. */
export async function markSeen(
  tx: Tx,
  environment: Environment,
  network: string,
  message: { readonly id: string; readonly unroutedTo?: string },
): Promise<void> {
  await tx.run(
    `insert into seen_message (environment, network, id, unrouted_to) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [environment, network, message.id, message.unroutedTo],
  );
}

/** Lets messages that came for the address before anybody had it be read again. */
export async function forgetUnrouted(tx: Tx, environment: Environment, id: string): Promise<void> {
  await tx.run('delete from seen_message where environment = $1 and unrouted_to = $2', [
    environment,
    id,
  ]);
}
