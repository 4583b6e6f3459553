import type { CryptoKey } from 'jose';
import {
  makeKey,
  openSigningKeys,
  type SigningKey,
  type SigningKeysOptions,
} from '../../token/signing-keys.ts';
import { addDocumentKey, addFirstDocumentKey, listDocumentKeys } from './key-store.ts';
import type { Signer } from './signature.ts';

/** Signs with the installation's newest key, kept sealed in the database; the first node makes one. */
export interface PdfSigners {
  /** With the key of now: one that was made meanwhile, on whatever node, takes a second. */
  current(): Promise<Signer>;
}

type Options = Omit<SigningKeysOptions, 'store'>;

export async function openPdfSigners(options: Options): Promise<PdfSigners> {
  const store = { list: listDocumentKeys, addFirst: addFirstDocumentKey };
  const keys = await openSigningKeys({ ...options, store });
  return {
    current: async () => {
      const newest = await keys.newest();
      return signerOf(newest, (await keys.publicKey(newest.id))!);
    },
  };
}

/** From now on another key signs; what earlier ones signed stays as good as they are. */
export function changePdfKey(options: Options): Promise<void> {
  return makeKey(options, addDocumentKey);
}

/** Raw public keys, the newest first. */
export async function listPdfKeys({ db }: Pick<Options, 'db'>): Promise<Buffer[]> {
  const rows = await db.system(listDocumentKeys);
  return rows.map(({ public_jwk }) => Buffer.from(String(public_jwk.x), 'base64url'));
}

async function signerOf({ key }: SigningKey, publicKey: CryptoKey): Promise<Signer> {
  return {
    publicKey: new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)),
    sign: async (bytes) => {
      const signature = await crypto.subtle.sign('Ed25519', key, bytes as Uint8Array<ArrayBuffer>);
      return new Uint8Array(signature);
    },
  };
}
