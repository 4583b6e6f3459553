import { byTenant, type Job } from '../../platform/jobs/job.ts';
import { apart } from './apart.ts';
import { type Course, type Memory, type PipelineContext, takeUp } from './course.ts';
import { settle } from './settle.ts';
import { lockInvoices } from './store.ts';
import { submit } from './submit.ts';
import { makeMoves } from './transition.ts';
import { validate } from './validate.ts';

/**
 * What happens after 202. One call takes a batch of claimed jobs as far as it can: received →
 * validating → validated → submitted, or asks the authority again. Each step commits before the
 * next begins, so whoever claims the job after a crash finds in the state of the invoice where to
 * go on. Tenants, sources and authorities work apart: a fault or a delay of one is no other's.
 */
export async function advance(
  context: PipelineContext,
  jobs: readonly Job<Memory>[],
  signal: AbortSignal,
): Promise<void> {
  await apart(context.log, byTenant(jobs), async ([tenantId, group]) => {
    const courses = await begin(context, tenantId, group);
    const validating = courses.filter(({ invoice }) => invoice.state === 'validating');
    const sources = Map.groupBy(validating, ({ invoice }) => invoice.connector_id);
    const sent = courses.filter(({ invoice }) => invoice.state !== 'validating');
    const pull = async (own: readonly Course[]): Promise<void> => {
      const validated = await validate(context, tenantId, own, signal);
      await submit(context, tenantId, validated);
    };
    const steps = [
      ...sources.values().map((own) => () => pull(own)),
      () => settle(context, tenantId, sent),
    ];
    await apart(context.log, steps, (step) => step());
  });
}

/** The invoices of the jobs as they stand; what was only received is now validating. */
function begin(
  context: PipelineContext,
  tenantId: string,
  jobs: readonly Job<Memory>[],
): Promise<readonly Course[]> {
  return context.db.tenant(tenantId, async (tx) => {
    const ids = jobs.map((job) => job.key);
    const invoices = await lockInvoices(tx, tenantId, ids);
    const starting = invoices.filter((each) => each.state === 'received');
    const moves = starting.map((invoice) => ({ invoice, trigger: 'start-validation' as const }));
    const edge = { now: context.clock(), random: context.random };
    const stands = await makeMoves(tx, tenantId, moves, edge);
    const current = invoices.map((each) => stands.get(each.id) ?? each);
    const isOpen = ({ state }: Course['invoice']) => !isDone(state);
    return takeUp(context, tx, tenantId, { jobs, invoices: current, isOpen });
  });
}

/**
 * Nothing is left to do for the job: another worker had done it before its lease was known to be
 * lost.
 */
function isDone(state: string): boolean {
  return !['received', 'validating', 'validated', 'submitted'].includes(state);
}
