import type { Db } from '../../platform/db/database.ts';
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

/**
 * Makes a member, and an account when the person has none. For the host's command: sends no mail.
 */
export async function makeMember(
  { db, clock, random }: { db: Db; clock: Clock; random: RandomBytes },
  tenantId: string,
  { email, name, role = null, einvoicing_role = null }: NewMember,
): Promise<MadeMember> {
  const known = await db.system((tx) => findAccount(tx, email));
  const password = known ? undefined : Buffer.from(random(passwordBytes)).toString('base64url');
  const hash = password === undefined ? undefined : await hashPassword(password);
  const userId = known?.id ?? newId('usr', clock, random);
  await db.tenant(tenantId, async (tx) => {
    const now = clock();
    if (hash !== undefined) {
      await addAccount(tx, { id: userId, email, name, password_hash: hash, created_at: now });
    }
    await addMember(tx, tenantId, { userId, role, einvoicing_role, now });
  });
  return { userId, password };
}
