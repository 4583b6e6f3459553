import type { Tx } from '../../platform/db/tx.ts';

export interface AccountRow {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly password_hash: string;
  readonly created_at: Date;
}

/** An account of any tenant; only for signing in and accepting invitations. */
export function findAccount(tx: Tx, email: string): Promise<AccountRow | undefined> {
  return tx.row('select * from find_account($1)', [email]);
}

export async function addAccount(tx: Tx, row: AccountRow): Promise<void> {
  await tx.rows('select add_account($1, $2, $3, $4, $5)', [
    row.id,
    row.email,
    row.name,
    row.password_hash,
    row.created_at,
  ]);
}

/**
 * Counts a try to sign in under every key; answers the seconds to wait when one is used up. The key
 * says which budget it has: `account …`, `ip …`, or any other for one of its own.
 */
export async function takeSignIn(
  tx: Tx,
  keys: readonly string[],
  now: Date,
): Promise<number | undefined> {
  const row = await tx.row<{ wait: number | null }>('select take_sign_in($1, $2) as wait', [
    keys,
    now,
  ]);
  return row?.wait ?? undefined;
}

/** Forgets one try under every key, because it succeeded. */
export async function forgetSignIn(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx.rows('select forget_sign_in($1)', [keys]);
}
