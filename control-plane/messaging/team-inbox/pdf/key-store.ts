import type { Tx } from '../../../platform/db/tx.ts';
import type { SigningKeyRow } from '../../token/store.ts';

/** All keys that sign documents, the newest first. */
export function listDocumentKeys(tx: Tx): Promise<SigningKeyRow[]> {
  return tx.rows(
    `select id, public_jwk, sealed_private_jwk from document_signing_key
     order by created_at desc, id desc`,
  );
}

/** Adds the key unless there is one already. */
export async function addFirstDocumentKey(tx: Tx, key: SigningKeyRow): Promise<void> {
  await tx.rows('select pg_advisory_xact_lock($1)', [7_314_179]);
  await tx.run(
    `insert into document_signing_key (id, public_jwk, sealed_private_jwk) select $1, $2, $3
     where not exists (select from document_signing_key)`,
    [key.id, JSON.stringify(key.public_jwk), key.sealed_private_jwk],
  );
}

/** Adds a key, which is the newest then. */
export async function addDocumentKey(tx: Tx, key: SigningKeyRow): Promise<void> {
  await tx.run(
    'insert into document_signing_key (id, public_jwk, sealed_private_jwk) values ($1, $2, $3)',
    [key.id, JSON.stringify(key.public_jwk), key.sealed_private_jwk],
  );
}
