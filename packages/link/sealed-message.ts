import ed2curve from 'ed2curve';
import nacl from 'tweetnacl';
import { fromBase64 } from './bytes.ts';

/**
 * A message for the owner of an Ed25519 identity who is not linked now: its box key is that of its
 * identity on the other form of the curve, and the sender's is made for this message alone.
 */
export function sealFor(
  publicKey: string,
  plain: Uint8Array,
  random: (length: number) => Uint8Array,
): Uint8Array | undefined {
  const theirs = ed2curve.convertPublicKey(fromBase64(publicKey));
  if (theirs === null) return undefined; // no point of the curve
  const ours = nacl.box.keyPair.fromSecretKey(random(nacl.box.secretKeyLength));
  const box = nacl.box(plain, nonceOf(ours.publicKey, theirs), theirs, ours.secretKey);
  const sealed = new Uint8Array(ours.publicKey.length + box.length);
  sealed.set(ours.publicKey);
  sealed.set(box, ours.publicKey.length);
  return sealed;
}

/** The message; undefined when it was sealed for another, or changed. `secretKey` is 64 bytes. */
export function openSealed(secretKey: Uint8Array, sealed: Uint8Array): Uint8Array | undefined {
  const theirs = sealed.subarray(0, nacl.box.publicKeyLength);
  if (theirs.length < nacl.box.publicKeyLength) return undefined;
  const ours = nacl.box.keyPair.fromSecretKey(ed2curve.convertSecretKey(secretKey));
  const box = sealed.subarray(theirs.length);
  const nonce = nonceOf(theirs, ours.publicKey);
  return nacl.box.open(box, nonce, theirs, ours.secretKey) ?? undefined;
}

/** Need not be random, as the sender's key is never used again. */
function nonceOf(sender: Uint8Array, receiver: Uint8Array): Uint8Array {
  return nacl.hash(Buffer.concat([sender, receiver])).subarray(0, nacl.box.nonceLength);
}
