import type { SigningKeyRow } from '../../../../../platform/auth/signing-key-store.ts';
import type { Tx } from '../../../../../platform/db/tx.ts';

/** All keys that sign documents, newest first. */
export function listDocumentKeys(tx: Tx): Promise<SigningKeyRow[]> {
  return tx.rows(
    `select id, public_jwk, sealed_private_jwk from document_signing_key
     order by created_at desc, id desc`,
  );
}

/** Adds the key unless one exists. */
export async function addFirstDocumentKey(tx: Tx, key: SigningKeyRow): Promise<void> {
  await tx.rows('select add_first_document_signing_key($1, $2, $3)', valuesOf(key));
}

/** Adds a key, which becomes the newest. */
export async function addDocumentKey(tx: Tx, key: SigningKeyRow): Promise<void> {
  await tx.rows('select add_document_signing_key($1, $2, $3)', valuesOf(key));
}

function valuesOf({ id, public_jwk, sealed_private_jwk }: SigningKeyRow): readonly string[] {
  return [id, JSON.stringify(public_jwk), sealed_private_jwk];
}
