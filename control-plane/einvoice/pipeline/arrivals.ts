import type { ConnectorFault, ReadOutcome } from '@drawbridge/connectors/contract.ts';
import { apply } from '@drawbridge/mapping/apply.ts';
import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { byTenant, type Job } from '../../platform/jobs/job.ts';
import { type ConnectorRow, findConnectors, findMappings } from '../connectors/store.ts';
import { create, newInvoice } from '../invoices/creation.ts';
import { apart } from './apart.ts';
import { findSubmitted, lockArrivals } from './arrival-store.ts';
import {
  again,
  finish,
  later,
  type Memory,
  outOfTurn,
  type PipelineContext,
  type Rest,
  rest,
} from './course.ts';
import { busy } from './lanes.ts';

/** What a job of the queue `arrival` carries: a document that an agent found new or changed. */
export interface Arrival extends Memory {
  readonly connector: string;
  readonly ref: string;
}

type ArrivalJob = Job<Arrival>;

const pullTimeoutMs = 60_000;
/** Until what is being judged has its verdict: a change may be the mending of it. */
const verdictWaitMs = 5_000;

/**
 * Submits the documents that were issued since the day the connector names, each once: never what
 * went to an authority before, and what our checks rejected again when it has changed.
 */
export async function takeArrivals(
  context: PipelineContext,
  jobs: readonly ArrivalJob[],
): Promise<void> {
  await apart(context.log, byTenant(jobs), async ([tenantId, own]) => {
    const sources = Map.groupBy(
      own,
      ({ payload }) => `${payload.environment} ${payload.connector}`,
    );
    await apart(context.log, sources.values(), (group) => takeFrom(context, tenantId, group));
  });
}

/** Arrivals of one connector in one environment. */
async function takeFrom(
  context: PipelineContext,
  tenantId: string,
  jobs: readonly ArrivalJob[],
): Promise<void> {
  const { connector: connectorId, environment } = jobs[0]!.payload;
  const refs = jobs.map(({ payload }) => payload.ref);
  const { connector, mapping, known } = await context.db.tenant(tenantId, async (tx) => {
    const [row] = await findConnectors(tx, tenantId, [connectorId]);
    const mappings = await findMappings(tx, tenantId, [connectorId]);
    return {
      connector: row,
      mapping: mappings.find(({ profile }) => profile === row?.default_profile)?.document,
      known: await findSubmitted(tx, tenantId, environment, connectorId, refs),
    };
  });
  const from = connector?.submit_from[environment];
  const open = from === undefined ? [] : jobs.filter((job) => !known.has(job.payload.ref));
  const decisions = new Map<ArrivalJob, Decision>(jobs.map((job) => [job, 'over']));
  const outcomes = connector === undefined ? [] : await read(context, tenantId, connector, open);
  for (const [index, job] of open.entries()) {
    await context.giveWay();
    const outcome = outcomes === busy ? busy : outcomes[index]!;
    decisions.set(job, decide(context, job, outcome, mapping, from!));
  }
  await context.db.tenant(tenantId, (tx) =>
    record(context, tx, tenantId, jobs, decisions, connector),
  );
}

async function read(
  context: PipelineContext,
  tenantId: string,
  connector: ConnectorRow,
  jobs: readonly ArrivalJob[],
): Promise<readonly ReadOutcome[] | typeof busy> {
  if (jobs.length === 0) return [];
  const refs = jobs.map(({ payload }) => payload.ref);
  const over = AbortSignal.timeout(pullTimeoutMs);
  return context.lanes.sources.through(connector.id, () =>
    context.sources.read(tenantId, connector, refs, over),
  );
}

/** Submit it, nothing to do, or look again. */
type Decision = 'submit' | 'over' | Rest;

function decide(
  context: PipelineContext,
  job: ArrivalJob,
  outcome: ReadOutcome | typeof busy,
  mapping: Mapping | undefined,
  from: string,
): Decision {
  const now = context.clock();
  if (outcome === busy) return outOfTurn({ job }, now);
  switch (outcome.kind) {
    case 'missing':
      return 'over';
    case 'unreachable':
      return isGivenUp(context, job, now) ? 'over' : unreachable(job, outcome.fault, now);
    // What cannot be read cannot be dated: the client must see what is wrong with it.
    case 'unusable':
      return 'submit';
    case 'found': {
      const isApproved = mapping?.fields.some(({ status }) => status === 'approved') ?? false;
      if (mapping === undefined || !isApproved) {
        const reason = 'no mapping is approved that tells the day of issue';
        return isGivenUp(context, job, now) ? 'over' : again({ job }, now, reason);
      }
      const { issue_date: issued } = apply(outcome.document, mapping).cim;
      return typeof issued === 'string' && issued < from ? 'over' : 'submit';
    }
  }
}

function unreachable(job: ArrivalJob, { retry, message }: ConnectorFault, now: Date): Rest {
  const afterMs = typeof retry === 'object' ? retry.afterSeconds * 1_000 : undefined;
  return again({ job }, now, message, afterMs);
}

function isGivenUp(context: PipelineContext, { payload }: ArrivalJob, now: Date): boolean {
  const { since } = payload;
  return since !== undefined && now.getTime() - Date.parse(since) > context.settings.sourceGiveUpMs;
}

async function record(
  context: PipelineContext,
  tx: Tx,
  tenantId: string,
  jobs: readonly ArrivalJob[],
  decisions: ReadonlyMap<ArrivalJob, Decision>,
  connector: ConnectorRow | undefined,
): Promise<void> {
  const { connector: connectorId, environment } = jobs[0]!.payload;
  const edge = { now: context.clock(), random: context.random };
  // Two workers may hold the same document, told of twice: one makes the invoice, the other sees it.
  await lockArrivals(tx, connectorId);
  const refs = [...new Set(jobs.map(({ payload }) => payload.ref))];
  const known = await findSubmitted(tx, tenantId, environment, connectorId, refs);
  const wanted = jobs.filter((job) => decisions.get(job) === 'submit');
  const fresh = new Set(wanted.map(({ payload }) => payload.ref).filter((ref) => !known.has(ref)));
  const profile = connector?.default_profile;
  const invoices = [...fresh].flatMap((sourceRef) =>
    profile ? [newInvoice({ tenantId, environment, connectorId, profile, sourceRef }, edge)] : [],
  );
  await create(tx, context.jobs, tenantId, invoices, edge);
  const rests = jobs.flatMap((job): Rest[] => {
    const decision = decisions.get(job)!;
    if (typeof decision === 'object') return [decision];
    const isJudged = known.get(job.payload.ref) === 'judging';
    return isJudged ? [later({ job }, new Date(edge.now.getTime() + verdictWaitMs))] : [];
  });
  await rest(context, tx, tenantId, rests);
  const resting = new Set<unknown>(rests.map(({ course }) => course.job));
  await finish(
    context,
    tx,
    tenantId,
    jobs.filter((job) => !resting.has(job)).map((job) => ({ job })),
  );
}
