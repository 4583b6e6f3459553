import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { Db } from '../../platform/db/database.ts';
import { fail } from '../errors.ts';
import { isPassword } from './passwords.ts';
import { type AccountRow, findAccount, forgetSignIn, forgetSignIns, takeSignIn } from './store.ts';

/** Tries in a window: of one account, and from one address of the network. */
export const triesMax = { account: 5, ip: 50 } as const;
export const tryWindowSeconds = 900;

/**
 * The account whose password this is; undefined when there is none or it is another's. Throws
 * `too_many_attempts` when the account or the caller's address has used up its tries.
 */
export async function signIn(
  db: Db,
  { email, password, ip }: { email: string; password: string; ip: string },
): Promise<AccountRow | undefined> {
  // Hashed: what people type by mistake, a password among it, is not kept readable.
  const account = `account ${createHash('sha256').update(email).digest('hex')}`;
  const network = `ip ${networkOf(ip)}`;
  const wait = await db.system((tx) =>
    takeSignIn(tx, [account, network], [triesMax.account, triesMax.ip], tryWindowSeconds),
  );
  if (wait !== undefined) {
    throw fail('too_many_attempts', 'Signing in was tried too often: wait before the next try.', {
      headers: { 'retry-after': String(Math.ceil(wait)) },
    });
  }
  const row = await db.system((tx) => findAccount(tx, email));
  if (!(await isPassword(password, row?.password_hash))) return undefined;
  await db.system(async (tx) => {
    await forgetSignIns(tx, account);
    await forgetSignIn(tx, network);
  });
  return row;
}

/** An IPv6 subscriber has a /64 at least, so that is what counts as one address. */
function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return (address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}
