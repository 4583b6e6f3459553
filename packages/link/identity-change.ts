import { digestOf } from './signature.ts';

/**
 * What the control plane signs with the key that an agent trusts, so that the agent trusts the next
 * one: a hash of the purpose and of both keys (base64). A signature of a handshake is of another text.
 */
export function identityChange(trustedKey: string, nextKey: string): Uint8Array {
  return digestOf(['drawbridge-link-identity', trustedKey, nextKey]);
}

/**
 * What an agent signs with its next key, so that nobody can have it known by a key that it does not hold. The session
 * in which it comes proves the present one.
 */
export function agentKeyChange(agentId: string, presentKey: string, nextKey: string): Uint8Array {
  return digestOf(['drawbridge-agent-key', agentId, presentKey, nextKey]);
}
