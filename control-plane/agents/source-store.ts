import type {
  ConfirmedSource,
  DocumentsRead,
  SourceReconciled,
} from '@drawbridge/link/documents.ts';
import type { Tx } from '../platform/db/tx.ts';

/** A source of an agent, as far as its control plane knows. */
export interface SourceRow {
  readonly connector: string;
  readonly queue: string;
  readonly sequence: number;
  readonly cursor: string;
  readonly documents: number;
  readonly received_at: Date;
  readonly reconciliation: SourceReconciled | null;
}

/** Notes that a batch is stored; false when it, or a later one of the same queue, was before. */
export async function advanceSource(
  tx: Tx,
  tenantId: string,
  agentId: string,
  batch: Omit<DocumentsRead, 'content'>,
): Promise<boolean> {
  const changed = await tx.run(
    `insert into agent_source as known
       (tenant_id, agent_id, connector, queue, sequence, cursor, documents)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (tenant_id, agent_id, connector) do update
     set queue = excluded.queue, sequence = excluded.sequence, cursor = excluded.cursor,
         documents = known.documents + excluded.documents, received_at = now()
     where known.queue <> excluded.queue or known.sequence < excluded.sequence`,
    [
      tenantId,
      agentId,
      batch.connector,
      batch.queue,
      batch.sequence,
      batch.cursor,
      batch.refs.length,
    ],
  );
  return changed === 1;
}

/** Saves what a comparison came to, of a source of which documents are stored. */
export async function saveReconciliation(
  tx: Tx,
  tenantId: string,
  agentId: string,
  report: SourceReconciled,
): Promise<void> {
  await tx.run(
    `update agent_source set reconciliation = $4
     where tenant_id = $1 and agent_id = $2 and connector = $3`,
    [tenantId, agentId, report.connector, JSON.stringify(report)],
  );
}

/** The agent's sources by name. */
export async function findSources(
  tx: Tx,
  tenantId: string,
  agentId: string,
  max: number,
): Promise<SourceRow[]> {
  return tx.rows(
    `select connector, queue, sequence, cursor, documents, received_at, reconciliation
     from agent_source where tenant_id = $1 and agent_id = $2 order by connector limit $3`,
    [tenantId, agentId, max],
  );
}

/** What an agent is told at its welcome. */
export function confirmedSource(row: SourceRow): ConfirmedSource {
  const { connector, queue, sequence, cursor } = row;
  return { connector, queue, sequence, cursor };
}
