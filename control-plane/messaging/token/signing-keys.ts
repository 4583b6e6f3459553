/** Keys that sign, kept sealed in the database and shared by all nodes. */
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { Db } from '../../platform/db/database.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { type Clock, newId, type RandomBytes } from '../../platform/ids.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { addFirstSigningKey, listSigningKeys, type SigningKeyRow } from './store.ts';

export const algorithm = 'EdDSA';

export interface SigningKey {
  readonly id: string;
  readonly key: CryptoKey;
}

export interface SigningKeys {
  /** The key that signs now. */
  current(): SigningKey;
  /** The same, after a look whether there is a newer one: it takes a second to be seen. */
  newest(): Promise<SigningKey>;
  /** The key that verifies what was signed under that id; undefined when there is none. */
  publicKey(id: string): Promise<CryptoKey | undefined>;
}

export interface SigningKeysOptions {
  readonly db: Db;
  readonly secrets: Pick<Secrets, 'seal' | 'open'>;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Where they are kept; left out: the keys of session tokens. */
  readonly store?: SigningKeyStore;
}

export interface SigningKeyStore {
  /** The newest first. */
  readonly list: (tx: Tx) => Promise<SigningKeyRow[]>;
  /** Adds the key unless there is one already. */
  readonly addFirst: (tx: Tx, key: SigningKeyRow) => Promise<void>;
}

const tokenKeys: SigningKeyStore = { list: listSigningKeys, addFirst: addFirstSigningKey };

/** Made-up key ids must not turn into questions to the database without end. */
const reloadMs = 1_000;

/** Opens the keys; the first node of an installation makes one. */
export async function openSigningKeys(options: SigningKeysOptions): Promise<SigningKeys> {
  const { db, secrets, clock, store = tokenKeys } = options;
  const publicKeys = new Map<string, CryptoKey>();
  let signing: SigningKey | undefined;
  let loadedAt = 0;

  async function load(): Promise<void> {
    loadedAt = clock().getTime();
    const rows = await db.system(store.list);
    for (const { id, public_jwk } of rows) publicKeys.set(id, await imported(public_jwk));
    const [newest] = rows;
    if (newest === undefined || newest.id === signing?.id) return;
    const jwk: JWK = JSON.parse(secrets.open(newest.sealed_private_jwk, newest.id));
    signing = { id: newest.id, key: await imported(jwk) };
  }

  await load();
  if (signing === undefined) {
    await makeKey(options, store.addFirst);
    await load();
  }
  const isStale = () => Math.abs(clock().getTime() - loadedAt) >= reloadMs;
  return {
    current: () => signing!,
    newest: async () => {
      if (isStale()) await load();
      return signing!;
    },
    publicKey: async (id) => {
      if (!publicKeys.has(id) && isStale()) await load();
      return publicKeys.get(id);
    },
  };
}

/** Makes a key, and has it kept. */
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
