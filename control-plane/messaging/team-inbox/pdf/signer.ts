import { openSigningKeys, type SigningKeysOptions } from '../../token/signing-keys.ts';
import { addFirstDocumentKey, listDocumentKeys } from './key-store.ts';
import type { Signer } from './signature.ts';

/** Signs with the installation's own key, kept sealed in the database; the first node makes one. */
export async function openPdfSigner(options: Omit<SigningKeysOptions, 'store'>): Promise<Signer> {
  const store = { list: listDocumentKeys, addFirst: addFirstDocumentKey };
  const keys = await openSigningKeys({ ...options, store });
  const { id, key } = keys.current();
  const publicKey = await crypto.subtle.exportKey('raw', (await keys.publicKey(id))!);
  return {
    publicKey: new Uint8Array(publicKey),
    sign: async (bytes) => {
      const signature = await crypto.subtle.sign('Ed25519', key, bytes as Uint8Array<ArrayBuffer>);
      return new Uint8Array(signature);
    },
  };
}
