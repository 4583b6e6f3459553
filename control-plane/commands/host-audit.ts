import type { Actor } from '../platform/audit/actor.ts';
import { type AuditedAction, openAuditLog } from '../platform/audit/audit-log.ts';
import type { Db } from '../platform/db/database.ts';
import type { Tx } from '../platform/db/tx.ts';
import type { CommandContext } from './context.ts';

/**
 * Records what a command changed, in the log of the host and, with a tenant, in that tenant's too. In
 * the transaction of the change; one of a tenant, when a tenant is named.
 */
export type HostAudit = (
  tx: Tx,
  tenantId: string | undefined,
  action: AuditedAction,
) => Promise<void>;

export function openHostAudit({ clock, random, operator }: CommandContext, db: Db): HostAudit {
  const log = openAuditLog({ db, clock, random });
  const nowhere = { service: null, environment: null, ip: null, requestId: null };
  const actor: Actor = { kind: 'host', id: operator, ...nowhere };
  return async (tx, tenantId, action) => {
    await log.recordForHost(tx, actor, { ...action, aboutTenant: tenantId });
    if (tenantId !== undefined) await log.record(tx, tenantId, actor, action);
  };
}
