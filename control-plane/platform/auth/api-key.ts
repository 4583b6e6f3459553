/**
 * The text of an API key: `sk_test_` + 10 characters of id + 43 of secret + 6 of checksum.
 * The checksum lets a typo, or a scanner's false alarm, be told without asking the database.
 */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type RandomBytes, randomCharacters } from '../ids.ts';
import type { Environment } from './principal.ts';

/** `sk` opens the e-invoicing service, `jc` the messaging one. */
export const families = ['sk', 'jc'] as const;
export type Family = (typeof families)[number];

export interface NewKey {
  /** `key_…`, public. */
  readonly id: string;
  /** The key itself: shown once, stored nowhere. */
  readonly text: string;
  /** What lists show of it: `sk_test_0123456789…`. */
  readonly shown: string;
  readonly hash: Buffer;
}

export type ParsedKey =
  | {
      readonly kind: 'key';
      readonly id: string;
      readonly family: Family;
      readonly environment: Environment;
      readonly hash: Buffer;
    }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'mistyped' };

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const shape = /^(sk|jc)_(test|live)_([0-9a-z]{10})[0-9A-Za-z]{43}([0-9A-Za-z]{6})$/;

export function makeKey(family: Family, environment: Environment, random: RandomBytes): NewKey {
  const handle = randomCharacters(10, random);
  const prefix = `${family}_${environment === 'live' ? 'live' : 'test'}_${handle}`;
  const secret = base62(BigInt(`0x${Buffer.from(random(32)).toString('hex')}`), 43);
  const body = prefix + secret;
  const text = body + checksum(body);
  return { id: `key_${handle}`, text, shown: `${prefix}…`, hash: hashOf(text) };
}

/**
 * Reads a key's text: `foreign` has not the form of a key, `mistyped` has it with a wrong checksum.
 */
export function parseKey(text: string): ParsedKey {
  const parts = shape.exec(text);
  if (!parts) return { kind: 'foreign' };
  const [, family, environment, handle, sum] = parts;
  if (checksum(text.slice(0, -6)) !== sum) return { kind: 'mistyped' };
  return {
    kind: 'key',
    id: `key_${handle}`,
    family: family as Family,
    environment: environment === 'live' ? 'live' : 'sandbox',
    hash: hashOf(text),
  };
}

// A plain hash is enough: the secret has 256 random bits, there is nothing to guess slowly.
function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), 6);
}

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest /= 62n)
    text = digits[Number(rest % 62n)] + text;
  return text;
}
