import type { Tx } from '../db/tx.ts';

export interface SigningKeyRow {
  readonly id: string;
  readonly public_jwk: Readonly<Record<string, unknown>>;
  readonly sealed_private_jwk: string;
  /** False while some node may not have heard of it; absent: true. */
  readonly is_known?: boolean;
}

/** Seconds after which every node knows a new key, because it has read the keys again. */
const knownAfterSeconds = 10;

/** All keys, the newest first. */
export function listSigningKeys(tx: Tx): Promise<SigningKeyRow[]> {
  return tx.rows(
    `select id, public_jwk, sealed_private_jwk,
       created_at <= clock_timestamp() - interval '${knownAfterSeconds} s' as is_known
     from signing_key order by created_at desc, id desc`,
  );
}

/** Adds the key unless there is one already. */
export async function addFirstSigningKey(tx: Tx, key: SigningKeyRow): Promise<void> {
  await tx.rows('select add_first_signing_key($1, $2, $3)', [
    key.id,
    JSON.stringify(key.public_jwk),
    key.sealed_private_jwk,
  ]);
}

/** Adds a key, which signs once every node knows it. */
export async function addSigningKey(tx: Tx, key: SigningKeyRow): Promise<void> {
  await tx.rows('select add_signing_key($1, $2, $3)', [
    key.id,
    JSON.stringify(key.public_jwk),
    key.sealed_private_jwk,
  ]);
}

/** Deletes the keys that a newer one had replaced by then; returns how many there were. */
export async function dropReplacedSigningKeys(tx: Tx, replacedBefore: Date): Promise<number> {
  const row = await tx.row<{ count: number }>('select drop_replaced_signing_keys($1) as count', [
    replacedBefore,
  ]);
  return row!.count;
}
