import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '@drawbridge/connectors/json.ts';
import { makeFolder } from '@drawbridge/connectors/make-folder.ts';
import nacl from 'tweetnacl';
import type { z } from 'zod';
import { writeDurably } from './durable-file.ts';
import { exclusively } from './lock.ts';

type VaultContent<T> =
  | { readonly kind: 'content'; readonly value: T }
  | { readonly kind: 'absent' }
  /** Another key sealed it, or it is damaged. */
  | { readonly kind: 'unreadable' };

/**
 * One sealed file. It protects backups and copied disks. It does not protect against somebody who
 * controls the account of the owner.
 */
export interface Vault<T> {
  read(): VaultContent<T>;
  /** When this returns the new content is on disk; after a crash it is the old or the new one. */
  write(value: T): void;
  /** Deletes the file; one that is absent stays so. */
  remove(): void;
}

/** Where the secrets are stored; `random` gives that many unpredictable bytes. */
export interface VaultLocation {
  readonly home: string;
  readonly keyFile: string;
  random(length: number): Uint8Array;
}

/**
 * Makes the home folder and the key on first use. Only their owner can read them, also when
 * they were there before.
 */
export function prepareHome({ home, keyFile, random }: VaultLocation): void {
  makeFolder(home, 0o700);
  chmodSync(home, 0o700);
  if (existsSync(keyFile)) chmodSync(keyFile, 0o600);
  else exclusively(home, () => makeKey(keyFile, random));
}

/** Of two commands that come first at once, one makes it. */
function makeKey(keyFile: string, random: VaultLocation['random']): void {
  if (!existsSync(keyFile)) writeDurably(keyFile, random(nacl.secretbox.keyLength));
}

/**
 * The vault in the file `<name>.sealed`; content that breaks the schema counts as unreadable.
 */
export function openVault<T>(
  location: VaultLocation,
  name: string,
  schema: z.ZodType<T>,
): Vault<T> {
  const file = join(location.home, `${name}.sealed`);
  return {
    read() {
      if (!existsSync(file)) return { kind: 'absent' };
      const opened = unseal(readFileSync(file), keyOf(location));
      const value = opened && schema.safeParse(parseJson(new TextDecoder().decode(opened)));
      return value?.success ? { kind: 'content', value: value.data } : { kind: 'unreadable' };
    },
    write(value) {
      const nonce = location.random(nacl.secretbox.nonceLength);
      const plain = new TextEncoder().encode(JSON.stringify(value));
      const box = nacl.secretbox(plain, nonce, keyOf(location));
      writeDurably(file, Buffer.concat([nonce, box]));
    },
    remove: () => rmSync(file, { force: true }),
  };
}

function keyOf({ keyFile }: VaultLocation): Uint8Array {
  return new Uint8Array(readFileSync(keyFile)).subarray(0, nacl.secretbox.keyLength);
}

function unseal(sealed: Uint8Array, key: Uint8Array): Uint8Array | null {
  if (key.length !== nacl.secretbox.keyLength) return null;
  const nonce = new Uint8Array(sealed).subarray(0, nacl.secretbox.nonceLength);
  if (nonce.length !== nacl.secretbox.nonceLength) return null;
  return nacl.secretbox.open(new Uint8Array(sealed).subarray(nonce.length), nonce, key);
}
