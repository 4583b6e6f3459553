import type { Tx } from '../../platform/db/tx.ts';
import type { AccountRow } from './store.ts';

/** The account of a member of the transaction's tenant. */
export function findOwnAccount(tx: Tx, userId: string): Promise<AccountRow | undefined> {
  return tx.row('select * from user_account where id = $1', [userId]);
}

export interface NewReset {
  readonly email: string;
  readonly tokenHash: Buffer;
  readonly now: Date;
  readonly expiresAt: Date;
  /** With as many unused ones there is none added. */
  readonly openMax: number;
}

/** False when nobody has the address, or too many are open. */
export async function addPasswordReset(tx: Tx, reset: NewReset): Promise<boolean> {
  const { email, tokenHash, now, expiresAt, openMax } = reset;
  const row = await tx.row<{ is_added: boolean }>(
    'select add_password_reset($1, $2, $3, $4, $5) as is_added',
    [email, tokenHash, now, expiresAt, openMax],
  );
  return row!.is_added;
}

/** Whether the token is good now. */
export async function isPasswordReset(tx: Tx, tokenHash: Buffer, now: Date): Promise<boolean> {
  const row = await tx.row<{ is_open: boolean }>('select is_password_reset($1, $2) as is_open', [
    tokenHash,
    now,
  ]);
  return row!.is_open;
}

/** Uses the token up; undefined when it is used, expired or unknown. Ends all sessions. */
export function resetPassword(
  tx: Tx,
  tokenHash: Buffer,
  passwordHash: string,
  now: Date,
): Promise<AccountRow | undefined> {
  return tx.row('select * from reset_password($1, $2, $3)', [tokenHash, passwordHash, now]);
}

export interface PasswordChange {
  readonly account: AccountRow;
  readonly newHash: string;
  /** The session that stays; all others end. */
  readonly sessionId: string;
  readonly now: Date;
}

/** False when the password has been changed meanwhile. */
export async function changePassword(
  tx: Tx,
  { account, newHash, sessionId, now }: PasswordChange,
): Promise<boolean> {
  const row = await tx.row<{ is_changed: boolean }>(
    'select change_password($1, $2, $3, $4, $5) as is_changed',
    [account.id, account.password_hash, newHash, sessionId, now],
  );
  return row!.is_changed;
}
