import { z } from 'zod';

/** Base64 of a public key, 32 bytes. */
export const publicKeyText = z.string().regex(/^[A-Za-z0-9+/]{43}=$/);

/** Base64 of a signature, 64 bytes. */
export const signatureText = z.string().regex(/^[A-Za-z0-9+/]{86}==$/);

/** Standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** Bytes of a base64 text whose alphabet and length a schema has already checked. */
export function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'));
}
