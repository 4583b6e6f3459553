/**
 * Secrets at rest: `const secrets = await openSecrets({ home, key })`, then
 * `secrets.seal(text, endpointId)` and `secrets.open(sealed, endpointId)`.
 *
 * AES-256-GCM; the sealed text is `v1.<key id>.<nonce, cipher text, tag>` in base64url. The context
 * names where the secret belongs: one copied to another row does not open. To change keys, put the
 * new one first in DRAWBRIDGE_SECRET_KEY and keep the old ones behind it until all is sealed anew.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { privateFile } from './private-file.ts';

/** Seals what must not stand in the database in the clear. */
export interface Secrets {
  /** `context`: what the secret belongs to; needed again to open it. */
  seal(text: string, context?: string): string;
  /** Throws when it was sealed under a key we lack, for another context, or has been changed. */
  open(sealed: string, context?: string): string;
  /** True when the key is here under which it was sealed. */
  holdsKeyOf(sealed: string): boolean;
  /** True when it was sealed under an older key. */
  isOutdated(sealed: string): boolean;
  /** Names the key that seals now; every sealed text names its own. */
  readonly keyId: string;
}

/** Where the key is: in the home folder, or given. */
export interface SecretsOptions {
  /** Where the key is kept when none is given: `secret.key`, mode 0600, made when missing. */
  readonly home: string;
  /** 32 bytes in base64 or hex, several separated by commas; the first one seals. */
  readonly key?: string | undefined;
}

/** The file of the key has something else. */
class NoSealingKey extends Error {
  readonly code = 'no_sealing_key';

  constructor(path: string) {
    super(
      `${path} is to have 32 bytes in base64 or hex, older keys after commas: put back the file that was there`,
    );
  }
}

const nonceBytes = 12;
const tagBytes = 16;

/** Reads the key, or makes it on the first start. Rejects when it is no key, or cannot be kept. */
export async function openSecrets({ home, key }: SecretsOptions): Promise<Secrets> {
  if (key !== undefined) return createSecrets(key);
  const path = join(home, 'secret.key');
  const text = await privateFile(path, freshKey);
  if (!text.split(',').every(isSealingKey)) throw new NoSealingKey(path);
  // `keys rotate --new` puts another key into the file while nodes run.
  return createSecrets(text, () => readFileSync(path, 'utf8'));
}

/** Puts a new key in front of those in the file, from which on it seals. */
export async function addKeyInFront(path: string): Promise<void> {
  const known = await privateFile(path, freshKey);
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(aside, `${freshKey()},${known.trim()}`, { mode: 0o600, flag: 'wx' });
  // Renamed into place: a reader finds the old file or the new one, never half of one.
  await rename(aside, path);
}

/**
 * As `openSecrets`, with the key's text; `reread` gives it anew when a text is sealed under an unknown
 * key. Throws when it is no key.
 */
export function createSecrets(keyText: string, reread?: () => string): Secrets {
  const keys = keysOf(keyText);
  const keyOf = (id: string) => {
    if (!keys.has(id) && reread) for (const [name, key] of keysOf(reread())) keys.set(name, key);
    return keys.get(id);
  };
  const [[currentId, current] = raise('no key to seal secrets with')] = keys;
  return {
    seal: (text, context = '') => {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', current, nonce).setAAD(Buffer.from(context));
      const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return `v1.${currentId}.${Buffer.concat(parts).toString('base64url')}`;
    },
    open: (sealed, context = '') => {
      const [version, id = '', payload = ''] = sealed.split('.');
      const key = version === 'v1' ? keyOf(id) : undefined;
      if (!key) throw new Error('a secret was sealed under a key that is not here');
      const bytes = Buffer.from(payload, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-tagBytes));
      const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
    holdsKeyOf: (sealed) => keyOf(sealed.split('.')[1] ?? '') !== undefined,
    isOutdated: (sealed) => sealed.split('.')[1] !== currentId,
    keyId: currentId,
  };
}

function keysOf(text: string): Map<string, Buffer> {
  return new Map(text.split(',').map((each) => idAndKey(each.trim())));
}

function freshKey(): string {
  return randomBytes(32).toString('base64');
}

/** Whether a text is a key that secrets can be sealed with: 32 bytes in base64 or hex. */
export function isSealingKey(text: string): boolean {
  return keyBytes(text.trim()).length === 32;
}

function keyBytes(text: string): Buffer {
  return Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64');
}

function idAndKey(text: string): [string, Buffer] {
  const key = keyBytes(text);
  if (key.length !== 32) raise('DRAWBRIDGE_SECRET_KEY must be 32 bytes in base64 or hex');
  return [createHash('sha256').update('key id').update(key).digest('hex').slice(0, 8), key];
}

function raise(message: string): never {
  throw new Error(message);
}
