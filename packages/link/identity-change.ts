import { createHash } from 'node:crypto';

/**
 * What the control plane signs with the key that an agent trusts, so that the agent trusts the next
 * one: a hash of the purpose and of both keys (base64). A signature of a handshake is of another text.
 */
export function identityChange(trustedKey: string, nextKey: string): Uint8Array {
  const said = ['drawbridge-link-identity', trustedKey, nextKey];
  return new Uint8Array(createHash('sha512').update(JSON.stringify(said)).digest());
}

/**
 * What an agent signs with its next key, so that nobody can have it known by a key that it does not hold. The session
 * in which it comes proves the present one.
 */
export function agentKeyChange(agentId: string, presentKey: string, nextKey: string): Uint8Array {
  const said = ['drawbridge-agent-key', agentId, presentKey, nextKey];
  return new Uint8Array(createHash('sha512').update(JSON.stringify(said)).digest());
}
