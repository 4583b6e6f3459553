import type { Role } from '../../../people/roles/messaging-roles.ts';
import { type KeysetRange, oldestFirst } from '../../../platform/db/keyset.ts';
import type { Tx } from '../../../platform/db/tx.ts';

/** Somebody of the team, or who was of it. */
export interface TeammateRow {
  readonly user_id: string;
  readonly name: string;
  /** Null: none in messaging. */
  readonly role: Role | null;
  readonly is_member: boolean;
}

/** Members, and those who were members once: what they wrote stays. */
export function listTeamEver(tx: Tx, tenantId: string, page: KeysetRange): Promise<TeammateRow[]> {
  const { key, where, order, rowsMax } = oldestFirst(page);
  return tx.rows(
    `select user_id, name, role, is_member from (
       select m.user_id, u.name, m.role, true as is_member
       from member m join user_account u on u.id = m.user_id where m.tenant_id = $1
       union all
       select d.user_id, d.name, null, false from departed_member d where d.tenant_id = $1
         and not exists (select from member m where m.tenant_id = $1 and m.user_id = d.user_id)
     ) t where ${where('user_id', '$2')} order by user_id ${order} limit $3`,
    [tenantId, key, rowsMax],
  );
}
