import { connectorKind } from '@drawbridge/connectors/registry.ts';
import type { NewJob } from '../../../platform/jobs/job.ts';
import type { ConnectorRow } from '../../connectors/store.ts';
import type { InvoiceRow } from '../../invoices/store.ts';
import type { WriteBackJobPayload } from './write-back.ts';

/**
 * Confirmations of documents that were rejected here, before anything was sent, for sources that keep them until they
 * are told: files and messages that move.
 */
export function invalidJobs(
  connector: Pick<ConnectorRow, 'kind'> | undefined,
  invoices: readonly InvoiceRow[],
  now: Date,
): readonly NewJob[] {
  if (connector === undefined || !connectorKind(connector.kind)?.mayTakeInvalid) return [];
  return invoices.map(({ id, environment }) => {
    const settledAt = now.toISOString();
    const payload: WriteBackJobPayload = { environment, invoice: id, status: 'invalid', settledAt };
    return { queue: 'write-back', key: `${id}/invalid`, payload };
  });
}
