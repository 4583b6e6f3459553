/**
 * Ids that sort by the time they were made: `newId('inv', clock, random)`, `newUuid(clock,
 * random)`.
 */

/** Returns the current instant. */
export type Clock = () => Date;
/** Returns that many unpredictable bytes, as `crypto.randomBytes` does. */
export type RandomBytes = (size: number) => Uint8Array;

// Crockford's alphabet has no i, l, o and u, which people misread.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** Random characters of an id, after those of its time. */
const randomLength = 16;

/**
 * `<prefix>_` and 26 characters: 48 bits of milliseconds, then 80 random bits. Byte order is time
 * order.
 */
export function newId(prefix: string, clock: Clock, random: RandomBytes): string {
  return `${prefix}_${base32(stamped(clock, random), 26)}`;
}

/** Makes `count` ids of one instant; much quicker than one by one. */
export function newIds(prefix: string, clock: Clock, random: RandomBytes, count: number): string[] {
  const first = newId(prefix, clock, random).slice(0, -randomLength);
  const rest = randomCharacters(count * randomLength, random);
  return Array.from({ length: count }, (_, n) => {
    return first + rest.slice(n * randomLength, (n + 1) * randomLength);
  });
}

/**
 * The lowest id of an instant, so that a period can be read as a range of ids; of one before 1970
 * the lowest of all.
 */
export function firstIdAt(prefix: string, instant: Date): string {
  const since1970 = new Date(Math.max(0, instant.getTime()));
  return newId(
    prefix,
    () => since1970,
    (size) => new Uint8Array(size),
  );
}

/** When an id was made, to the millisecond. */
export function instantOf(id: string): Date {
  const time = id.slice(id.indexOf('_') + 1).slice(0, -randomLength);
  let ms = 0;
  for (const letter of time) ms = ms * 32 + alphabet.indexOf(letter);
  return new Date(ms);
}

/** A UUID as `newUuid` writes it. */
export const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A version 7 UUID (RFC 9562), lower case; tenants are named by one. */
export function newUuid(clock: Clock, random: RandomBytes): string {
  const bytes = stamped(clock, random);
  bytes[6] = 0x70 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** That many random characters of Crockford's alphabet, five bits each. */
export function randomCharacters(count: number, random: RandomBytes): string {
  let text = '';
  for (const byte of random(count)) text += alphabet[byte & 31];
  return text;
}

/** Matches what `newId` makes for the prefix; for request schemas. */
export function idPattern(prefix: string): RegExp {
  return new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`);
}

function stamped(clock: Clock, random: RandomBytes): Uint8Array {
  const bytes = new Uint8Array(16);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(clock().getTime()) << 16n);
  bytes.set(random(10), 6);
  return bytes;
}

function base32(bytes: Uint8Array, length: number): string {
  let text = '';
  let held = 0;
  let bits = length * 5 - bytes.length * 8; // 26 characters hold 130 bits: two leading zeros
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += alphabet[(held >> (bits - 5)) & 31];
  }
  return text;
}
