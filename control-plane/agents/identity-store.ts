import type { Tx } from '../platform/db/tx.ts';

/** The NOTIFY channel that tells of new and retired identities; the payload says nothing. */
export const identityChannel = 'link_identity';

export interface IdentityRow {
  /** Ed25519, base64. */
  readonly public_key: string;
  readonly sealed_secret_key: string;
}

/** An agent that trusts an older identity. */
export interface AgentBehind {
  readonly tenant_id: string;
  readonly id: string;
  readonly hostname: string;
  readonly software: string;
  readonly seen_at: Date | null;
}

/** All identities, the newest first. */
export function listIdentities(tx: Tx): Promise<IdentityRow[]> {
  return tx.rows(
    'select public_key, sealed_secret_key from control_plane_identity order by number desc',
  );
}

/** Adds the identity unless there is one already. */
export async function addFirstIdentity(tx: Tx, identity: IdentityRow): Promise<void> {
  await tx.rows('select add_first_control_plane_identity($1, $2)', [
    identity.public_key,
    identity.sealed_secret_key,
  ]);
}

/** Adds an identity, which is the newest then, and tells every node once the transaction commits. */
export async function addIdentity(tx: Tx, identity: IdentityRow): Promise<void> {
  await tx.rows('select add_control_plane_identity($1, $2)', [
    identity.public_key,
    identity.sealed_secret_key,
  ]);
  await notify(tx);
}

/**
 * Deletes the identities older than that key's and returns their keys; undefined, and nothing is deleted,
 * while an agent trusts one of them, unless forced.
 */
export async function retireIdentities(
  tx: Tx,
  keptKey: string,
  isForced: boolean,
): Promise<string[] | undefined> {
  const row = await tx.row<{ retired: string[] | null }>(
    'select retire_control_plane_identities($1, $2) as retired',
    [keptKey, isForced],
  );
  if (row?.retired == null) return undefined;
  await notify(tx);
  return row.retired;
}

/** How many agents trust each key; null: one that is gone. */
export function countAgentsByKey(
  tx: Tx,
): Promise<{ control_plane_key: string | null; agents: number }[]> {
  return tx.rows('select * from count_agents_by_control_plane_key()');
}

/** Agents that trust an identity older than that key's, the longest unseen first. */
export function agentsBehind(tx: Tx, key: string, max: number): Promise<AgentBehind[]> {
  return tx.rows('select * from agents_behind_control_plane_key($1, $2)', [key, max]);
}

async function notify(tx: Tx): Promise<void> {
  await tx.rows(`select pg_notify('${identityChannel}', 'changed')`);
}
