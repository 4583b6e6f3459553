import { busy } from '@drawbridge/concurrency/semaphore.ts';
import type { ReadOutcome } from '@drawbridge/connectors/contract.ts';
import { profileById } from '@drawbridge/profiles/registry.ts';
import { rejection } from '@drawbridge/validation/source/verdict.ts';
import { forSubjects, inSpan } from '../../../platform/tracing/active-spans.ts';
import type { StoredVerdict } from '../../document-checks/document-checker.ts';
import { sizeOf } from '../../document-checks/source-size.ts';
import { type PipelineContext, retryLater, retryWhenFree, type WorkItem } from '../work-item.ts';
import { checkDocument, type ValidationResult } from './check-document.ts';
import { type ConnectorSetup, readConnectorSetup } from './connector-setup.ts';
import { recordVerdicts } from './record-verdicts.ts';

/**
 * `validating` → `validated` or `rejected`, for items of one connector: read, map and validate in
 * both stages. Returns the validated items.
 */
export async function validate(
  context: PipelineContext,
  tenantId: string,
  items: readonly WorkItem[],
  signal: AbortSignal,
): Promise<readonly WorkItem[]> {
  const [first] = items;
  if (first === undefined) return [];
  const connectorId = first.invoice.connector_id;
  const setup = await context.db.tenant(tenantId, (tx) =>
    readConnectorSetup(tx, tenantId, connectorId),
  );
  const results =
    setup === undefined
      ? items.map((item) => ({ item, verdict: connectorDeleted(item) }))
      : await pull(context, tenantId, items, setup, signal);
  return context.db.tenant(tenantId, (tx) => recordVerdicts(context, tx, tenantId, results, setup));
}

function connectorDeleted({ invoice }: WorkItem): StoredVerdict {
  return rejection(
    profileById(invoice.profile)!,
    'SOURCE-UNAVAILABLE',
    'The connector was deleted before the document was pulled. Submit it through another one.',
  );
}

const pullTimeoutMs = 60_000;

async function pull(
  context: PipelineContext,
  tenantId: string,
  items: readonly WorkItem[],
  setup: ConnectorSetup,
  signal: AbortSignal,
): Promise<ValidationResult[]> {
  const outcomes = await context.concurrency.sources.run(tenantId, setup.connector.id, () =>
    inSpan({ name: 'read source' }, () => read(context, tenantId, items, setup, signal)),
  );
  if (outcomes === busy) {
    const now = context.clock();
    return items.map((item) => ({ item, postponement: retryWhenFree(item, now) }));
  }
  context.pullPortions.note(setup.connector.id, outcomes.map(bytesOf));
  const results: Promise<ValidationResult>[] = [];
  for (const [index, item] of items.entries()) {
    await context.yieldToRequests();
    // Those that go to threads do not hold up those that are done here.
    const check = () => validateOne(context, tenantId, item, outcomes[index]!, setup);
    results.push(
      forSubjects(
        [item],
        ({ invoice }) => invoice.id,
        () => inSpan({ name: 'check' }, check),
      ),
    );
  }
  return Promise.all(results);
}

/** What is no outcome at all, by a fault of its connector, fails below, and by itself. */
function bytesOf(outcome: ReadOutcome | null): number {
  return outcome?.kind === 'found' ? sizeOf(outcome.document) : 0;
}

/** A source that cannot be opened counts as one that does not answer. */
async function read(
  context: PipelineContext,
  tenantId: string,
  items: readonly WorkItem[],
  { connector }: ConnectorSetup,
  signal: AbortSignal,
): Promise<readonly ReadOutcome[]> {
  const refs = items.map((each) => each.invoice.source_ref);
  const over = AbortSignal.any([signal, AbortSignal.timeout(pullTimeoutMs)]);
  try {
    return await context.sources.read(tenantId, connector, refs, over);
  } catch (err) {
    context.log.error({ err, connector: connector.id }, 'a source could not be read');
    const message = 'The connector could not be opened; its operator finds the cause in the log.';
    return refs.map(() => ({
      kind: 'unreachable',
      fault: { code: 'internal', message, retry: 'later' },
    }));
  }
}

/** Validates one document; one that causes a throw must not affect the others of its batch. */
async function validateOne(
  context: PipelineContext,
  tenantId: string,
  item: WorkItem,
  outcome: ReadOutcome,
  setup: ConnectorSetup,
): Promise<ValidationResult> {
  try {
    return await checkDocument(context, tenantId, item, outcome, setup);
  } catch (err) {
    context.log.error({ err, invoice: item.invoice.id }, 'a document could not be validated');
    return { item, postponement: retryLater(item, context.clock(), String(err)) };
  }
}
