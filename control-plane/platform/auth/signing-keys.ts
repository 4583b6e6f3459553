/** Signing keys, sealed in the database and shared by all nodes. */
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Db } from '../db/database.ts';
import type { Tx } from '../db/tx.ts';
import { type Clock, newId, type RandomBytes } from '../ids.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { addFirstSigningKey, listSigningKeys, type SigningKeyRow } from './signing-key-store.ts';

export const algorithm = 'EdDSA';

export interface SigningKey {
  readonly id: string;
  readonly key: CryptoKey;
}

export interface SigningKeys {
  /** The newest key that all nodes know, after looking for it at most once a second. */
  newest(): Promise<SigningKey>;
  /** The key that verifies signatures made under that id; undefined when there is none. */
  publicKey(id: string): Promise<CryptoKey | undefined>;
}

export interface SigningKeysOptions {
  readonly db: Db;
  readonly secrets: Pick<Secrets, 'seal' | 'open'>;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Where the keys are stored. Default: the keys of session tokens. */
  readonly store?: SigningKeyStore;
}

interface SigningKeyStore {
  /** Newest first. */
  readonly list: (tx: Tx) => Promise<SigningKeyRow[]>;
  /** Adds the key unless one exists. */
  readonly addFirst: (tx: Tx, key: SigningKeyRow) => Promise<void>;
}

const tokenKeys: SigningKeyStore = { list: listSigningKeys, addFirst: addFirstSigningKey };

/** Unknown key ids must not cause a database query each. */
const reloadMs = 1_000;
/** For so long a key that was taken away may still verify. */
const recheckMs = 60_000;

/** Opens the keys; the first node of an installation creates one. */
export async function openSigningKeys(options: SigningKeysOptions): Promise<SigningKeys> {
  const { db, secrets, clock, store = tokenKeys } = options;
  const publicKeys = new Map<string, CryptoKey>();
  let signing: SigningKey | undefined;
  let loadedAt = 0;

  async function load(): Promise<void> {
    loadedAt = clock().getTime();
    const rows = await db.system(store.list);
    const gone = new Set(publicKeys.keys());
    for (const { id, public_jwk } of rows) {
      gone.delete(id);
      if (!publicKeys.has(id)) publicKeys.set(id, await imported(public_jwk));
    }
    for (const id of gone) publicKeys.delete(id);
    // The first one of an installation signs at once: there is no other.
    const newest = rows.find(({ is_known = true }) => is_known) ?? rows.at(-1);
    if (newest === undefined || newest.id === signing?.id) return;
    const jwk: JWK = JSON.parse(secrets.open(newest.sealed_private_jwk, newest.id));
    signing = { id: newest.id, key: await imported(jwk) };
  }

  await load();
  if (signing === undefined) {
    await makeKey(options, store.addFirst);
    await load();
  }
  const isOlder = (ms: number) => Math.abs(clock().getTime() - loadedAt) >= ms;
  return {
    newest: async () => {
      if (isOlder(reloadMs)) await load();
      return signing!;
    },
    publicKey: async (id) => {
      if (isOlder(publicKeys.has(id) ? recheckMs : reloadMs)) await load();
      return publicKeys.get(id);
    },
  };
}

/** Creates a key and stores it with `add`. */
export async function makeKey(
  { db, secrets, clock, random }: Omit<SigningKeysOptions, 'store'>,
  add: (tx: Tx, key: SigningKeyRow) => Promise<void>,
): Promise<void> {
  const pair = await generateKeyPair(algorithm, { crv: 'Ed25519', extractable: true });
  const id = newId('sgn', clock, random);
  const public_jwk = { ...(await exportJWK(pair.publicKey)) };
  const sealed_private_jwk = secrets.seal(JSON.stringify(await exportJWK(pair.privateKey)), id);
  await db.system((tx) => add(tx, { id, public_jwk, sealed_private_jwk }));
}

async function imported(jwk: JWK): Promise<CryptoKey> {
  return (await importJWK(jwk, algorithm)) as CryptoKey;
}
