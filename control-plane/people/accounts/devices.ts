/**
 * Devices that have signed in before. Each keeps a token, which opens nothing: it gives the device a
 * number of tries of its own, which strangers who fail to sign in cannot use up.
 */
import { hash } from 'node:crypto';
import { SignJWT } from 'jose';
import { verifiedClaims } from '../../platform/auth/signed-claims.ts';
import { algorithm, type SigningKeys } from '../../platform/auth/signing-keys.ts';
import { type Clock, newId, type RandomBytes } from '../../platform/ids.ts';
import type { AccountRow } from './store.ts';

/** What a token says. */
export interface KnownDevice {
  readonly id: string;
  readonly userId: string;
  /** A new password makes devices unknown that signed in with the one before. */
  readonly passwordMark: string;
}

export interface Devices {
  /** The token of a device that has just signed in; without an id, of a new one. */
  issue(account: AccountRow, deviceId?: string): Promise<string>;
  /** What a token of ours says; undefined when it is another, was changed, or has expired. */
  read(token: string): Promise<KnownDevice | undefined>;
}

export interface DevicesContext {
  readonly keys: SigningKeys;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

const typ = 'dv+jwt';
export const deviceLifeSeconds = 180 * 86_400;

export function openDevices({ keys, clock, random }: DevicesContext): Devices {
  return {
    issue: async (account, deviceId = newId('dev', clock, random)) => {
      const { id: kid, key } = await keys.newest();
      const now = Math.floor(clock().getTime() / 1_000);
      return new SignJWT({ mark: markOf(account) })
        .setProtectedHeader({ alg: algorithm, kid, typ })
        .setSubject(account.id)
        .setJti(deviceId)
        .setExpirationTime(now + deviceLifeSeconds)
        .sign(key);
    },
    read: async (token) => {
      const claims = await verifiedClaims(keys, token, {
        typ,
        currentDate: clock(),
        requiredClaims: ['sub', 'jti', 'exp', 'mark'],
      });
      if (claims === undefined) return undefined;
      const { jti, sub, mark } = claims;
      return { id: jti!, userId: sub!, passwordMark: String(mark) };
    },
  };
}

/** Whether the account has signed in on the device with the password that it has now. */
export function isKnownDevice(
  device: KnownDevice | undefined,
  account: AccountRow | undefined,
): boolean {
  if (device === undefined || account === undefined) return false;
  return device.userId === account.id && device.passwordMark === markOf(account);
}

/** Tells nothing of the password: of a hash with its own salt, the hash. */
function markOf({ password_hash }: AccountRow): string {
  return hash('sha256', password_hash).slice(0, 16);
}
