import { hash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { Db } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/ids.ts';
import { fail } from '../errors.ts';
import type { CodeVerdict } from '../second-factor/second-factor.ts';
import { isKnownDevice, type KnownDevice } from './devices.ts';
import { isPassword } from './passwords.ts';
import { type AccountRow, findAccount, forgetSignIn, takeSignIn } from './store.ts';

export interface SignInContext {
  readonly db: Db;
  readonly clock: Clock;
}

export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  /** The caller's address; undefined when it does not tell callers apart. */
  readonly ip: string | undefined;
  /** What the device that signs in says of itself; its signature was checked. */
  readonly device?: KnownDevice | undefined;
}

export type SignInOutcome =
  | {
      readonly kind: 'signed_in';
      readonly account: AccountRow;
      /** The device, when the account knows it. */
      readonly deviceId: string | undefined;
    }
  /** Or there is no such account. */
  | { readonly kind: 'wrong_password' }
  | { readonly kind: 'wrong_code' }
  | { readonly kind: 'code_missing' };

/** Checks the second factor of the account, once its password was right. */
export type CheckSecondFactor = (userId: string) => Promise<CodeVerdict>;

/**
 * Whether the password is right, and the code of the second factor if the account has one. Throws
 * `too_many_attempts` when the device, or all that are unknown together, or the caller's address
 * must wait.
 */
export async function signIn(
  { db, clock }: SignInContext,
  { email, password, ip, device }: SignInAttempt,
  checkSecondFactor: CheckSecondFactor,
): Promise<SignInOutcome> {
  const account = await db.system((tx) => findAccount(tx, email));
  const deviceId = isKnownDevice(device, account) ? device!.id : undefined;
  const keys = deviceId === undefined ? keysOfUnknown(email, ip) : [`device ${deviceId}`];
  await countTry({ db, clock }, keys);
  const isRight = await isPassword(password, account?.password_hash);
  if (!account || !isRight) return { kind: 'wrong_password' };
  const verdict = await checkSecondFactor(account.id);
  if (verdict === 'wrong') return { kind: 'wrong_code' };
  await db.system((tx) => forgetSignIn(tx, keys));
  return verdict === 'missing'
    ? { kind: 'code_missing' }
    : { kind: 'signed_in', account, deviceId };
}

/** Counts a try before its outcome is known. Throws `too_many_attempts`. */
export async function countTry(
  { db, clock }: SignInContext,
  keys: readonly string[],
): Promise<void> {
  const waitSeconds = await db.system((tx) => takeSignIn(tx, keys, clock()));
  if (waitSeconds === undefined) return;
  throw fail('too_many_attempts', 'Signing in was tried too often: wait before the next try.', {
    headers: { 'retry-after': String(Math.ceil(waitSeconds)) },
  });
}

function keysOfUnknown(email: string, ip: string | undefined): readonly string[] {
  // Hashed, because people type passwords into the e-mail field by mistake.
  const account = `account ${hash('sha256', email)}`;
  return ip === undefined ? [account] : [account, networkKey(ip)];
}

/** The key of the budget that an address has. */
export function networkKey(ip: string): string {
  return `ip ${networkOf(ip)}`;
}

/** An IPv6 subscriber has at least a /64, so a /64 counts as one address. */
function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return (address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}
