/**
 * Detached signatures: Ed25519 (RFC 8032) over all bytes of a file, in a small separate JSON file.
 * `openssl pkeyutl -verify -rawin` checks the same.
 */
import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

export interface Signer {
  /** Raw, 32 bytes. */
  readonly publicKey: Uint8Array<ArrayBuffer>;
  sign(bytes: Uint8Array): Promise<Uint8Array>;
}

/**
 * Only the canonical base64 is accepted: otherwise a changed byte of the signature file could pass.
 */
const base64 = (length: number) =>
  z.string().refine((text) => {
    const bytes = Buffer.from(text, 'base64');
    return bytes.length === length && bytes.toString('base64') === text;
  }, `not ${length} bytes in base64`);

/**
 * The content of the `.sig` file; `key_id` is the SHA-256 of the public key, and `sha256` that of
 * the file.
 */
export const pdfSignature = z.strictObject({
  algorithm: z.literal('Ed25519'),
  key_id: z.string().regex(/^[0-9a-f]{64}$/),
  public_key: base64(32),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  signature: base64(64),
});
export type PdfSignature = z.infer<typeof pdfSignature>;

export async function signFile(file: Uint8Array, signer: Signer): Promise<PdfSignature> {
  return {
    algorithm: 'Ed25519',
    key_id: await digestOf(signer.publicKey),
    public_key: Buffer.from(signer.publicKey).toString('base64'),
    sha256: await digestOf(file),
    signature: Buffer.from(await signer.sign(file)).toString('base64'),
  };
}

export type Verdict =
  /**
   * `isPinned`: verified with the key that the caller gave; otherwise with the key in the signature
   * file.
   */
  | { readonly kind: 'verified'; readonly isPinned: boolean }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Whether every byte is as it was signed; `pinned`: the raw public key that must have signed it.
 */
export async function verifyPdf(
  file: Uint8Array,
  signature: PdfSignature,
  pinned?: Uint8Array,
): Promise<Verdict> {
  const publicKey = Buffer.from(signature.public_key, 'base64');
  if (pinned !== undefined && !isSame(publicKey, pinned)) {
    return refused('it was signed with another key than the one named');
  }
  if ((await digestOf(publicKey)) !== signature.key_id) {
    return refused('the signature file was changed: its key and the key id do not fit');
  }
  if ((await digestOf(file)) !== signature.sha256) {
    return refused('the file is not the one that was signed: its SHA-256 differs');
  }
  const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
  const bytes = Buffer.from(signature.signature, 'base64');
  const isRight = await crypto.subtle.verify('Ed25519', key, bytes, plain(file));
  return isRight
    ? { kind: 'verified', isPinned: pinned !== undefined }
    : refused('the signature does not fit the file and the key');
}

function refused(reason: string): Verdict {
  return { kind: 'refused', reason };
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

async function digestOf(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', plain(bytes))).toString('hex');
}

/** Web Crypto does not accept shared memory, and neither do its types. */
function plain(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return bytes as Uint8Array<ArrayBuffer>;
}
