/** Codes by time (RFC 6238), as authenticator apps show them: six digits every 30 seconds. */
import { Secret, TOTP } from 'otpauth';
import type { RandomBytes } from '../../platform/ids.ts';

const issuer = 'Drawbridge';
/** 160 bits, as RFC 4226 recommends. */
const secretBytes = 20;
/** Steps before and after now whose codes are good too: clocks differ, and people type slowly. */
const stepsAround = 1;

/** A new secret, in base32. */
export function makeSecret(random: RandomBytes): string {
  return new Secret({ buffer: Uint8Array.from(random(secretBytes)).buffer }).base32;
}

/** What an authenticator app reads from a picture. */
export function uriOf(secret: string, label: string): string {
  return new TOTP({ issuer, label, secret }).toString();
}

/** The time step of the code, counted from 1970; undefined when it is not good now. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  const token = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return undefined; // the library throws at digits of other scripts
  const totp = new TOTP({ secret });
  const timestamp = now.getTime();
  const delta = totp.validate({ token, timestamp, window: stepsAround });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}
