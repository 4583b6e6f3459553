/**
 * Submits templates to networks that review them, and polls their status until a webhook reports
 * it.
 */
import type { TemplateOutcome, TemplateRegistry, TemplateState } from '../../channels/contract.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { TenantScope } from '../../platform/auth/tenant-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import type { Job, NewJob } from '../../platform/jobs/job.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Worker } from '../../platform/jobs/worker.ts';
import type { AppOpener, OpenedApp } from '../apps/app-opener.ts';
import { findAppOrSuccessor } from '../apps/app-or-successor.ts';
import { announceTemplate } from '../messages/receiving/provider-updates.ts';
import type { ProviderCalls } from '../provider-calls.ts';
import { findTemplate, type TemplateRow, type TemplateUpdate, updateTemplate } from './store.ts';

export const templateQueue = 'template';

export interface RegistrarContext {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly appOpener: AppOpener;
  readonly calls: ProviderCalls;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

interface Payload {
  readonly environment: Environment;
  /** A template to remove from the network; our row may be gone. */
  readonly remove?: {
    readonly appId: string;
    readonly name: string;
    readonly providerId: string;
  };
}

/** The job that removes a template from the network; none where the network never had it. */
export function removalJobs(
  { environment }: TenantScope,
  {
    id,
    app_id: appId,
    name,
    provider_id: providerId,
  }: Pick<TemplateRow, 'id' | 'app_id' | 'name' | 'provider_id'>,
): NewJob[] {
  if (appId === null || providerId === null) return [];
  const payload: Payload = { environment, remove: { appId, name, providerId } };
  return [{ queue: templateQueue, key: `${id}/remove`, payload }];
}

const retryMs = 30_000;
/** Polling covers a webhook with the verdict that never comes. */
const pollMs = 600_000;
const pagesMax = 70;

export function startRegistrar(context: RegistrarContext): Worker {
  return context.jobs.work<Payload>({
    queue: templateQueue,
    batch: 1,
    concurrency: 2,
    handler: async (claimed) => {
      for (const job of claimed) await work(context, job);
    },
  });
}

async function work(context: RegistrarContext, job: Job<Payload>): Promise<void> {
  const { environment, remove } = job.payload;
  const scope = { tenantId: job.tenantId, environment };
  if (remove !== undefined) return removeTemplate(context, scope, remove, job);
  const { db, appOpener } = context;
  const { row, app } = await db.tenant(scope.tenantId, async (tx) => {
    const found = await findTemplate(tx, scope, job.key);
    if (found?.app_id == null) return { row: found, app: undefined };
    return { row: found, app: await findAppOrSuccessor(tx, scope, found.channel, found.app_id) };
  });
  if (row?.status !== 'pending' || app === undefined) return end(context, scope, job);
  const opened = appOpener.open(scope, app);
  const registry = opened.channel.templates as TemplateRegistry<unknown> | undefined;
  if (registry === undefined) return end(context, scope, job);
  const outcome =
    row.provider_id === null
      ? await submit(context, scope, opened, registry, row)
      : await findSubmitted(context, scope, opened, registry, row.provider_id);
  await saveOutcome(context, scope, job, row, outcome);
}

async function submit(
  context: RegistrarContext,
  scope: TenantScope,
  opened: OpenedApp,
  registry: TemplateRegistry<unknown>,
  { definition }: TemplateRow,
): Promise<TemplateOutcome> {
  const { calls, clock } = context;
  const { app, channel } = opened;
  const request = registry.submit(definition, app);
  const answer = await calls.exchange(scope.environment, channel.id, request);
  if (answer.kind !== 'answered') return { kind: 'retry', reason: answer.reason };
  const outcome = registry.readSubmission(definition, answer.response, clock());
  if (outcome.kind !== 'refused') return outcome;
  // It may be refused because the network has it: the answer to an earlier submission was lost.
  const { name, language, body } = definition;
  const isIt = (each: TemplateState) =>
    each.name === name && each.language === language && each.body === body;
  return findInList(context, scope, opened, registry, isIt, outcome);
}

function findSubmitted(
  context: RegistrarContext,
  scope: TenantScope,
  opened: OpenedApp,
  registry: TemplateRegistry<unknown>,
  providerId: string,
): Promise<TemplateOutcome> {
  const isIt = ({ templateId }: TemplateState) => templateId === providerId;
  const missing = { kind: 'retry', reason: 'not in the network’s list', afterMs: pollMs } as const;
  return findInList(context, scope, opened, registry, isIt, missing);
}

/** The template in the network's list that `isIt`, or `otherwise`. */
async function findInList(
  { calls, clock }: RegistrarContext,
  { environment }: TenantScope,
  { app, channel }: OpenedApp,
  registry: TemplateRegistry<unknown>,
  isIt: (template: TemplateState) => boolean,
  otherwise: TemplateOutcome,
): Promise<TemplateOutcome> {
  let after: string | undefined;
  for (let page = 0; page < pagesMax; page += 1) {
    const answer = await calls.exchange(environment, channel.id, registry.list(app, after));
    if (answer.kind !== 'answered') return { kind: 'retry', reason: answer.reason };
    const listing = registry.readList(answer.response, clock());
    if (listing.kind !== 'page') return listing;
    const found = listing.templates.find(isIt);
    if (found !== undefined) return { kind: 'held', template: found };
    if (listing.after === undefined) break;
    ({ after } = listing);
  }
  return otherwise;
}

async function saveOutcome(
  context: RegistrarContext,
  scope: TenantScope,
  job: Job,
  row: TemplateRow,
  outcome: TemplateOutcome,
): Promise<void> {
  const { db, jobs, clock } = context;
  const { id } = row;
  const update = updateOf(outcome);
  await db.tenant(scope.tenantId, async (tx) => {
    const change =
      update === undefined ? undefined : await updateTemplate(tx, scope, { id }, update, clock());
    if (change !== undefined) await announceTemplate(tx, context, scope, change);
    if (update?.provider_id != null && change === undefined) {
      // It was deleted here while the network was asked.
      await jobs.enqueue(tx, scope.tenantId, removalJobs(scope, { ...row, ...update }));
    }
    if (change !== undefined && change.status !== 'pending') {
      return jobs.complete(tx, scope.tenantId, [job]);
    }
    const waitMs = outcome.kind === 'retry' ? (outcome.afterMs ?? retryMs) : pollMs;
    const runAt = new Date(clock().getTime() + waitMs);
    return jobs.reschedule(tx, scope.tenantId, [{ job, runAt }]);
  });
}

/** What an answer of the network changes of a pending template; undefined: nothing. */
export function updateOf(outcome: TemplateOutcome): TemplateUpdate | undefined {
  const nothing = { provider_id: null, category: null, quality: null };
  if (outcome.kind === 'held') return updateFrom(outcome.template);
  if (outcome.kind !== 'refused') return undefined;
  const { code, detail } = outcome;
  return { ...nothing, status: 'rejected', reason: `${code}: ${detail}`.slice(0, 1_000) };
}

function updateFrom({
  templateId,
  status,
  category,
  quality,
  reason,
}: TemplateState): TemplateUpdate {
  return {
    provider_id: templateId,
    // It is pending here, or its verdict came by webhook while the network was asked.
    status: status === 'pending' ? null : (status ?? null),
    category: category ?? null,
    quality: quality ?? null,
    reason: reason ?? null,
  };
}

async function removeTemplate(
  context: RegistrarContext,
  scope: TenantScope,
  { appId, name, providerId }: NonNullable<Payload['remove']>,
  job: Job<Payload>,
): Promise<void> {
  const { db, jobs, appOpener, calls, clock } = context;
  const app = await db.tenant(scope.tenantId, (tx) => findAppOrSuccessor(tx, scope, 'wa', appId));
  const opened = app === undefined ? undefined : appOpener.open(scope, app);
  const registry = opened?.channel.templates as TemplateRegistry<unknown> | undefined;
  if (opened === undefined || registry === undefined) return end(context, scope, job);
  const request = registry.remove(providerId, name, opened.app);
  const answer = await calls.exchange(scope.environment, opened.channel.id, request);
  const outcome: TemplateOutcome =
    answer.kind === 'answered'
      ? registry.readRemoval(answer.response, clock())
      : { kind: 'retry', reason: answer.reason };
  if (outcome.kind !== 'retry') return end(context, scope, job);
  const runAt = new Date(clock().getTime() + (outcome.afterMs ?? retryMs));
  await db.tenant(scope.tenantId, (tx) => jobs.reschedule(tx, scope.tenantId, [{ job, runAt }]));
}

async function end({ db, jobs }: RegistrarContext, scope: TenantScope, job: Job): Promise<void> {
  await db.tenant(scope.tenantId, (tx) => jobs.complete(tx, scope.tenantId, [job]));
}
