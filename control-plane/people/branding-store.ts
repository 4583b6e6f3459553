/** What people see of a tenant's branding, where a record in DNS has proved it. */
import type { Tx } from '../platform/db/tx.ts';

/** The tenant's own domain, once it is proved. */
export async function findProvedDomain(tx: Tx, tenantId: string): Promise<string | undefined> {
  const row = await tx.row<{ name: string }>(
    `select name from branding_proof
     where tenant_id = $1 and kind = 'domain' and proved_at is not null`,
    [tenantId],
  );
  return row?.name;
}

/** The sender of a tenant's mail, with the key that signs it. */
export interface ProvedSender {
  readonly proof_id: string;
  readonly name: string | null;
  readonly address: string;
  readonly domain: string;
  readonly selector: string;
  readonly sealed_key: string;
}

export function findProvedSender(tx: Tx, tenantId: string): Promise<ProvedSender | undefined> {
  return tx.row(
    `select p.id as proof_id, b.sender_name as name, b.sender_address as address,
       p.name as domain, p.selector, p.sealed_key
     from branding b join branding_proof p on p.tenant_id = b.tenant_id and p.kind = 'sender'
     where b.tenant_id = $1 and b.sender_address is not null and p.proved_at is not null`,
    [tenantId],
  );
}
