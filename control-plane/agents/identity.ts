import { fromBase64, toBase64 } from '@drawbridge/link/bytes.ts';
import nacl from 'tweetnacl';
import type { Db } from '../platform/db/database.ts';
import type { RandomBytes } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import { keepIdentity } from './store.ts';

/** The identity that agents know the control plane by: an Ed25519 pair, the same on every node. */
export interface LinkIdentity {
  /** base64 */
  readonly publicKey: string;
  readonly secretKey: Uint8Array;
}

/** The context under which the key is sealed. */
const context = 'agent link identity';

/** Reads the identity from the database; the first node that starts makes it. */
export async function openIdentity(
  db: Db,
  secrets: Pick<Secrets, 'seal' | 'open'>,
  random: RandomBytes,
): Promise<LinkIdentity> {
  const fresh = nacl.sign.keyPair.fromSeed(new Uint8Array(random(nacl.sign.seedLength)));
  const kept = await db.system((tx) =>
    keepIdentity(tx, {
      publicKey: toBase64(fresh.publicKey),
      sealedSecretKey: secrets.seal(toBase64(fresh.secretKey), context),
    }),
  );
  const secretKey = fromBase64(secrets.open(kept.sealed_secret_key, context));
  return { publicKey: kept.public_key, secretKey };
}
