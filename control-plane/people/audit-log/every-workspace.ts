import type { Recorded, RequestAudit } from '../../platform/audit/request-audit.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Membership } from '../members/store.ts';

/** Workspaces whose logs tell of one thing that a person did. */
const workspacesMax = 50;

/** Records in the logs of a person's workspaces what is of the person, not of one of them. */
export async function recordInWorkspaces(
  db: Db,
  audit: RequestAudit,
  memberships: readonly Membership[],
  recorded: Recorded,
): Promise<void> {
  for (const { tenant_id: tenantId } of memberships.slice(0, workspacesMax)) {
    await db.tenant(tenantId, (tx) => audit.record(tx, tenantId, recorded));
  }
}
