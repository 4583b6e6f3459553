import { busy } from '@drawbridge/concurrency/semaphore.ts';
import type { ConnectorFault, WriteBackOutcome } from '@drawbridge/connectors/contract.ts';
import type { ConnectorRow } from '../connectors/store.ts';
import {
  type PipelineContext,
  type Postponement,
  retryLater,
  retryWhenFree,
  type WorkItem,
} from './work-item.ts';

const timeoutMs = 60_000;

/** Writes into an ERP when its source has a free call; a connector that cannot be opened is unreachable. */
export async function writeToSource<Outcome>(
  { concurrency, log }: Pick<PipelineContext, 'concurrency' | 'log'>,
  tenantId: string,
  connector: ConnectorRow,
  write: (signal: AbortSignal) => Promise<Outcome>,
): Promise<
  Outcome | { readonly kind: 'unreachable'; readonly fault: ConnectorFault } | typeof busy
> {
  try {
    return await concurrency.sources.run(`${tenantId} back`, `${connector.id} back`, () =>
      write(AbortSignal.timeout(timeoutMs)),
    );
  } catch (err) {
    log.error({ err, connector: connector.id }, 'the ERP could not be written to');
    const message = 'The connector could not be opened; its operator finds the cause in the log.';
    return { kind: 'unreachable', fault: { code: 'internal', message, retry: 'later' } };
  }
}

/** When to write again after an outcome that decided nothing. */
export function writeAgain(
  item: Pick<WorkItem, 'job'>,
  outcome: WriteBackOutcome | typeof busy,
  now: Date,
): Postponement {
  if (outcome === busy || outcome.kind !== 'unreachable') return retryWhenFree(item, now);
  const { retry, message } = outcome.fault;
  const afterMs = typeof retry === 'object' ? retry.afterSeconds * 1_000 : undefined;
  return retryLater(item, now, message, afterMs);
}
