/** The Ed25519 key that signs releases: PKCS #8 in PEM, which openssl reads too. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';

export interface SigningKey {
  /** For scripts that check with openssl. */
  readonly publicPem: string;
  /** In base64: the own key first, then others that agents shall take. */
  readonly trusted: readonly string[];
  /** 64 bytes. */
  sign(bytes: Uint8Array): Buffer;
}

/** Writes a new key; an existing file is never overwritten. */
export async function newSigningKey(file: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  await writeFile(file, pem, { mode: 0o600, flag: 'wx' });
}

/** The key that the environment names. Throws when it names none, or no Ed25519 key. */
export async function readSigningKey(
  env: Readonly<Record<string, string | undefined>>,
): Promise<SigningKey> {
  const { DRAWBRIDGE_RELEASE_KEY: text, DRAWBRIDGE_RELEASE_KEY_FILE: file } = env;
  const pem = text || (file && (await readFile(file, 'utf8')));
  if (!pem) {
    throw new Error(
      'no signing key: set DRAWBRIDGE_RELEASE_KEY_FILE to a file that --new-key has made',
    );
  }
  const trustFile = env.DRAWBRIDGE_RELEASE_TRUST_FILE;
  return signingKeyOf(pem, trustFile ? await readFile(trustFile, 'utf8') : '');
}

/** The key of a PEM, with the public keys of another. */
export function signingKeyOf(pem: string, trustedPem = ''): SigningKey {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('the signing key is not Ed25519');
  const publicKey = createPublicKey(key);
  const others = trustedPem.match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? [];
  return {
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }) as string,
    trusted: [publicKey, ...others.map((each) => createPublicKey(each))].map(rawKey),
    sign: (bytes) => sign(null, bytes, key),
  };
}

function rawKey(key: KeyObject): string {
  return Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url').toString('base64');
}
