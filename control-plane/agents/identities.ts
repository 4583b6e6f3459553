/**
 * The identities that agents know the control plane by, the same on every node. Agents are led to the
 * newest; an older one answers those that trust it, until the host retires it.
 *
 *   const identities = await openIdentities({ db, secrets, random, log });
 *   const identity = await identities.find(hello.controlPlaneKey);
 *
 * All nodes follow a change, as `startReloading` says.
 */
import { fromBase64, toBase64 } from '@drawbridge/link/bytes.ts';
import nacl from 'tweetnacl';
import type { Db } from '../platform/db/database.ts';
import { startReloading } from '../platform/db/reloading.ts';
import type { RandomBytes } from '../platform/ids.ts';
import type { Log } from '../platform/log/log.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import {
  addFirstIdentity,
  type IdentityRow,
  identityChannel,
  listIdentities,
} from './identity-store.ts';

/** An Ed25519 pair. */
export interface LinkIdentity {
  /** base64 */
  readonly publicKey: string;
  readonly secretKey: Uint8Array;
}

export interface LinkIdentities {
  /** The one that agents are to trust, as this node knows it. */
  newest(): LinkIdentity;
  /**
   * The identity of this key, also when it is so new that this node had not heard of it; undefined when
   * there is none any more. Rejects when it cannot be used here.
   */
  find(publicKey: string): Promise<LinkIdentity | undefined>;
  /** Reads them again; what had committed before the call is known when it resolves. */
  reload(): Promise<void>;
  /** Calls `listener` whenever there are others: a new newest one, or fewer. */
  onChange(listener: () => void): void;
  /** Whether the key is that of an identity, as this node knows them. */
  has(publicKey: string): boolean;
  close(): Promise<void>;
}

interface IdentitiesContext {
  readonly db: Db;
  readonly secrets: Pick<Secrets, 'seal' | 'open'>;
  readonly random: RandomBytes;
  readonly log: Log;
}

/** The context under which the key is sealed. */
const sealContext = 'agent link identity';

/** Opens the identities; the first node of an installation makes one. */
export async function openIdentities(context: IdentitiesContext): Promise<LinkIdentities> {
  const { db, secrets, random, log } = context;
  let known: ReadonlyMap<string, LinkIdentity> = new Map();
  let unusable: ReadonlyMap<string, Error> = new Map();
  const listeners: (() => void)[] = [];

  async function load(): Promise<void> {
    const rows = await db.system(listIdentities);
    const read = readRows(secrets, rows, known);
    for (const [publicKey, err] of read.unusable) {
      if (!unusable.has(publicKey)) log.error({ err, publicKey }, 'a link identity cannot be used');
    }
    if (read.usable.size === 0 && rows.length > 0) throw [...read.unusable.values()][0]!;
    if (rows.length === 0 && known.size > 0) throw new Error('all link identities are gone');
    const before = [...known.keys()].join();
    ({ usable: known, unusable } = read);
    if ([...known.keys()].join() !== before) for (const listener of listeners) listener();
  }

  await load();
  if (known.size === 0) {
    await db.system((tx) => addFirstIdentity(tx, newIdentity(secrets, random)));
    await load();
  }
  const what = 'the identities of the link';
  const { reload, close } = await startReloading({
    db,
    log,
    channel: identityChannel,
    what,
    load,
  });
  return {
    newest: () => firstOf(known)!,
    find: async (publicKey) => {
      if (!known.has(publicKey)) await reload();
      const fault = unusable.get(publicKey);
      if (fault) throw fault;
      return known.get(publicKey);
    },
    reload,
    onChange: (listener) => void listeners.push(listener),
    has: (publicKey) => known.has(publicKey) || unusable.has(publicKey),
    close,
  };
}

/** A fresh identity, as it is stored. */
export function newIdentity(secrets: Pick<Secrets, 'seal'>, random: RandomBytes): IdentityRow {
  const pair = nacl.sign.keyPair.fromSeed(new Uint8Array(random(nacl.sign.seedLength)));
  return {
    public_key: toBase64(pair.publicKey),
    sealed_secret_key: secrets.seal(toBase64(pair.secretKey), sealContext),
  };
}

interface ReadIdentities {
  /** By public key, the newest first. */
  readonly usable: ReadonlyMap<string, LinkIdentity>;
  readonly unusable: ReadonlyMap<string, Error>;
}

/** Opens the rows that are not known yet. */
function readRows(
  secrets: Pick<Secrets, 'open'>,
  rows: readonly IdentityRow[],
  known: ReadonlyMap<string, LinkIdentity>,
): ReadIdentities {
  const usable = new Map<string, LinkIdentity>();
  const unusable = new Map<string, Error>();
  for (const row of rows) {
    try {
      usable.set(row.public_key, known.get(row.public_key) ?? openIdentity(secrets, row));
    } catch (error) {
      // Sealed under a key that is not here, or tampered with: the others still serve their agents.
      unusable.set(row.public_key, error as Error);
    }
  }
  return { usable, unusable };
}

/**
 * Throws unless the secret is that of the public key: otherwise whoever can write to the database could
 * have a key of his own signed as the next one.
 */
function openIdentity(secrets: Pick<Secrets, 'open'>, row: IdentityRow): LinkIdentity {
  const secretKey = fromBase64(secrets.open(row.sealed_secret_key, sealContext));
  const pair = nacl.sign.keyPair.fromSeed(secretKey.subarray(0, nacl.sign.seedLength));
  if (toBase64(pair.publicKey) !== row.public_key) {
    throw new Error(`the secret stored with the link identity ${row.public_key} is of another one`);
  }
  return { publicKey: row.public_key, secretKey };
}

function firstOf(identities: ReadonlyMap<string, LinkIdentity>): LinkIdentity | undefined {
  return identities.values().next().value;
}
