import { createHash } from 'node:crypto';

/** Namespace of the document identifiers that are derived here; it must never change. */
const namespace = Buffer.from('8e2f4c1a5d0b4f7e9a636b1d2c90e7f4', 'hex');

/**
 * A name-based UUID (RFC 9562, version 5) of the facts that identify a document, so that the same
 * invoice gets the same identifier on every retry and node.
 */
export function documentUuid(facts: readonly string[]): string {
  const name = JSON.stringify(facts);
  const bytes = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}
