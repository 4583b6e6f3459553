import keys from './release-keys.json' with { type: 'json' };

/**
 * Ed25519 public keys in base64, with which a release is signed. The build of a release puts its own
 * in the place of the file; an agent that runs from its sources has none.
 */
export const releaseKeys: readonly string[] = keys;
