import type { Environment } from '../../platform/auth/principal.ts';
import type { KeyRow } from '../../platform/auth/store.ts';
import type { Tx } from '../../platform/db/tx.ts';

/** The messaging keys of one environment, revoked ones too. */
export function listKeys(
  tx: Tx,
  tenantId: string,
  environment: Environment,
  after: string | undefined,
  limit: number,
): Promise<KeyRow[]> {
  return tx.rows(
    `select * from api_key where tenant_id = $1 and environment = $2 and family = 'jc'
       and ($3::text is null or id > $3) order by id limit $4`,
    [tenantId, environment, after, limit],
  );
}

export function findKey(
  tx: Tx,
  tenantId: string,
  environment: Environment,
  id: string,
): Promise<KeyRow | undefined> {
  return tx.row(
    `select * from api_key
     where tenant_id = $1 and environment = $2 and family = 'jc' and id = $3`,
    [tenantId, environment, id],
  );
}
