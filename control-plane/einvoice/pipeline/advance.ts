import { byTenant, type Job } from '../../platform/jobs/job.ts';
import { annotate, forSubjects, inSpan } from '../../platform/tracing/active-spans.ts';
import { settleEach, settleInTurn } from './settle-each.ts';
import { lockInvoices } from './store.ts';
import { resumeSubmissions } from './submission/resume.ts';
import { submit } from './submission/submit.ts';
import { applyTransitions } from './transitions.ts';
import { validate } from './validation/validate.ts';
import {
  openWorkItems,
  type PipelineContext,
  type PipelineJobPayload,
  type WorkItem,
} from './work-item.ts';

/**
 * Processes accepted invoices. One call takes a batch of claimed jobs as far as it can: received →
 * validating → validated → submitted, or asks the authority again. Each step commits before the
 * next begins, so a worker that claims the job after a crash continues from the invoice's state.
 * Tenants, sources and authorities are isolated: a fault or a delay of one does not affect another.
 */
export async function advance(
  context: PipelineContext,
  jobs: readonly Job<PipelineJobPayload>[],
  signal: AbortSignal,
): Promise<void> {
  annotate((invoice) => ({ 'drawbridge.invoice.id': invoice }));
  await settleEach(context.log, byTenant(jobs), async ([tenantId, group]) => {
    const items = await startItems(context, tenantId, group);
    const validating = items.filter(({ invoice }) => invoice.state === 'validating');
    const sources = Map.groupBy(validating, ({ invoice }) => invoice.connector_id);
    const sent = items.filter(({ invoice }) => invoice.state !== 'validating');
    const steps = [
      ...sources.values().map((own) => () => pull(context, tenantId, own, signal)),
      async () => {
        if (sent.length === 0) return;
        await forSubjects(sent, idOf, () =>
          inSpan({ name: 'resume' }, () => resumeSubmissions(context, tenantId, sent)),
        );
      },
    ];
    await settleEach(context.log, steps, (step) => step());
  });
}

/** Pulls and sends documents of one source; what is large goes out before more of it comes in. */
async function pull(
  context: PipelineContext,
  tenantId: string,
  items: readonly WorkItem[],
  signal: AbortSignal,
): Promise<void> {
  const { largePulls } = context.concurrency;
  await settleInTurn(context.log, portionsToPull(context, items, signal), async (portion) => {
    const work = () => pullPortion(context, tenantId, portion.items, signal);
    if (!portion.isLarge) await work();
    // Those whose turn does not come before a stop are given back.
    else await largePulls.run(tenantId, work, signal);
  });
}

function* portionsToPull(
  { pullPortions }: PipelineContext,
  items: readonly WorkItem[],
  signal: AbortSignal,
): Generator<{ readonly items: readonly WorkItem[]; readonly isLarge: boolean }> {
  for (let at = 0; at < items.length && !signal.aborted; ) {
    const { count, isLarge } = pullPortions.next(items[at]!.invoice.connector_id);
    yield { items: items.slice(at, at + count), isLarge };
    at += count;
  }
}

async function pullPortion(
  context: PipelineContext,
  tenantId: string,
  items: readonly WorkItem[],
  signal: AbortSignal,
): Promise<void> {
  const validated = await forSubjects(items, idOf, () =>
    inSpan({ name: 'validate' }, () => validate(context, tenantId, items, signal)),
  );
  if (validated.length === 0) return;
  await forSubjects(validated, idOf, () =>
    inSpan({ name: 'submit' }, () => submit(context, tenantId, validated)),
  );
}

function idOf({ invoice }: WorkItem): string {
  return invoice.id;
}

/** Reads the invoices of the jobs and moves those in `received` to `validating`. */
function startItems(
  context: PipelineContext,
  tenantId: string,
  jobs: readonly Job<PipelineJobPayload>[],
): Promise<readonly WorkItem[]> {
  return context.db.tenant(tenantId, async (tx) => {
    const ids = jobs.map((job) => job.key);
    const invoices = await lockInvoices(tx, tenantId, ids);
    const starting = invoices.filter((each) => each.state === 'received');
    const transitions = starting.map((invoice) => ({
      invoice,
      trigger: 'start-validation' as const,
    }));
    const { clock, random, metrics } = context;
    const at = { now: clock(), random, metrics };
    const changed = await applyTransitions(tx, tenantId, transitions, at);
    const current = invoices.map((each) => changed.get(each.id) ?? each);
    // What waits for a person is sent by nobody: its release makes a new job.
    const isOpen = ({ state, waits_for }: WorkItem['invoice']) =>
      !isDone(state) && waits_for === null;
    return openWorkItems(context, tx, tenantId, { jobs, invoices: current, isOpen });
  });
}

/**
 * Whether nothing is left to do for the job, because another worker did it after this one's lease
 * had run out.
 */
function isDone(state: string): boolean {
  return !['received', 'validating', 'validated', 'submitted'].includes(state);
}
