import nacl from 'tweetnacl';

/** An Ed25519 public key in base64: 32 bytes. */
export type ReleaseKey = string;

/** Whether one of the keys has signed these bytes. */
export function isSigned(
  bytes: Uint8Array,
  signature: Uint8Array,
  keys: readonly ReleaseKey[],
): boolean {
  if (signature.length !== nacl.sign.signatureLength) return false;
  return keys.some((key) => {
    const publicKey = Uint8Array.from(atob(key), (character) => character.charCodeAt(0));
    return nacl.sign.detached.verify(bytes, signature, publicKey);
  });
}
