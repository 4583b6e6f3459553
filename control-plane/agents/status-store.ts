import type { AgentStatus } from '@drawbridge/link/agent-status.ts';
import type { Tx } from '../platform/db/tx.ts';

export interface StatusRow {
  readonly status: AgentStatus;
  readonly received_at: Date;
}

/** Keeps the agent's newest status. */
export async function saveStatus(
  tx: Tx,
  tenantId: string,
  agentId: string,
  status: AgentStatus,
): Promise<void> {
  await tx.run(
    `insert into agent_status (tenant_id, agent_id, status) values ($1, $2, $3)
     on conflict (tenant_id, agent_id) do update
     set status = excluded.status, received_at = now()`,
    [tenantId, agentId, JSON.stringify(status)],
  );
}

/** The agent's newest status; undefined before it told one. */
export function findStatus(
  tx: Tx,
  tenantId: string,
  agentId: string,
): Promise<StatusRow | undefined> {
  return tx.row(
    'select status, received_at from agent_status where tenant_id = $1 and agent_id = $2',
    [tenantId, agentId],
  );
}
