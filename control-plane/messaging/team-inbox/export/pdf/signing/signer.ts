import type { CryptoKey } from 'jose';
import {
  makeKey,
  openSigningKeys,
  type SigningKey,
  type SigningKeysOptions,
} from '../../../../../platform/auth/signing-keys.ts';
import { addDocumentKey, addFirstDocumentKey, listDocumentKeys } from './key-store.ts';
import type { Signer } from './signature.ts';

/**
 * Signs with the installation's newest key, stored encrypted in the database; the first node
 * creates one.
 */
export interface PdfSigners {
  /** Signs with the present key: a new key, made on any node, is used after a second at most. */
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

/** Makes another key that signs from now on; signatures of earlier keys stay valid. */
export function changePdfKey(options: Options): Promise<void> {
  return makeKey(options, addDocumentKey);
}

/** Raw public keys, newest first. */
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
