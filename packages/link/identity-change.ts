import { createHash } from 'node:crypto';

/**
 * What the control plane signs with the key that an agent trusts, so that the agent trusts the next
 * one: a hash of the purpose and of both keys (base64). A signature of a handshake is of another text.
 */
export function identityChange(trustedKey: string, nextKey: string): Uint8Array {
  const said = ['drawbridge-link-identity', trustedKey, nextKey];
  return new Uint8Array(createHash('sha512').update(JSON.stringify(said)).digest());
}
