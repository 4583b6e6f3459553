/**
 * The text of an API key: `sk_test_` + 10 characters of id + 43 of secret + 6 of checksum.
 * By the checksum a typo, or a secret scanner's false alarm, is noticed without the database.
 */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type RandomBytes, randomCharacters } from '../ids.ts';
import type { Environment } from './principal.ts';

/**
 * `sk` is the prefix of keys of the e-invoicing service, `jc` of those of the messaging service.
 */
const families = ['sk', 'jc'] as const;
/** The prefix of a service's keys. */
export type Family = (typeof families)[number];

/** A new key. */
export interface NewKey {
  /** `key_…`, public. */
  readonly id: string;
  /** The key itself: shown once, stored nowhere. */
  readonly text: string;
  /** The part that lists show: `sk_test_0123456789…`. */
  readonly shown: string;
  readonly hash: Buffer;
}

/** What a text is as an API key. */
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

/** Makes a key of 256 random bits, with a checksum against mistyping. */
export function makeKey(family: Family, environment: Environment, random: RandomBytes): NewKey {
  const handle = randomCharacters(10, random);
  const prefix = `${family}_${environment === 'live' ? 'live' : 'test'}_${handle}`;
  const secret = base62(BigInt(`0x${Buffer.from(random(32)).toString('hex')}`), 43);
  const body = prefix + secret;
  const text = body + checksum(body);
  return { id: `key_${handle}`, text, shown: `${prefix}…`, hash: hashOf(text) };
}

/**
 * Reads a key's text: `foreign` does not have the form of a key, `mistyped` has a wrong checksum.
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

// A plain hash is enough: a secret of 256 random bits cannot be guessed, so no slow hash is needed.
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
