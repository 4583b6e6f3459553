import type { Db } from '../../platform/db/database.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { type Clock, newId, type RandomBytes } from '../../platform/ids.ts';
import { hashPassword } from '../accounts/passwords.ts';
import { addAccount, findAccount } from '../accounts/store.ts';
import type { MemberRoles } from '../roles/member-roles.ts';
import { addMember } from './store.ts';

export interface NewMember extends Partial<MemberRoles> {
  /** Lower case. */
  readonly email: string;
  readonly name: string;
}

export interface MadeMember {
  readonly userId: string;
  /** Shown once; undefined when the person already had an account, whose password stays. */
  readonly password: string | undefined;
}

const passwordBytes = 18;

interface TimeAndChance {
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/**
 * Makes a member, and an account when the person has none. For the host's command: sends no mail.
 */
export function makeMember(
  { db, ...timeAndChance }: TimeAndChance & { readonly db: Db },
  tenantId: string,
  member: NewMember,
): Promise<MadeMember> {
  return db.tenant(tenantId, (tx) => addNewMember(tx, tenantId, member, timeAndChance));
}

/** As `makeMember`, within a transaction of the tenant. */
export async function addNewMember(
  tx: Tx,
  tenantId: string,
  { email, name, role = null, einvoicing_role = null }: NewMember,
  { clock, random }: TimeAndChance,
): Promise<MadeMember> {
  const known = await findAccount(tx, email);
  const password = known ? undefined : Buffer.from(random(passwordBytes)).toString('base64url');
  const hash = password === undefined ? undefined : await hashPassword(password);
  const userId = known?.id ?? newId('usr', clock, random);
  const now = clock();
  if (hash !== undefined) {
    await addAccount(tx, { id: userId, email, name, password_hash: hash, created_at: now });
  }
  await addMember(tx, tenantId, { userId, role, einvoicing_role, now });
  return { userId, password };
}
