/** Submits templates to networks that review them, and asks how they stand while nobody tells. */
import type { TemplateOutcome, TemplateRegistry, TemplateState } from '../../channels/contract.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import type { Job } from '../../platform/jobs/job.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Worker } from '../../platform/jobs/worker.ts';
import type { AppDesk, OpenedApp } from '../apps/desk.ts';
import { findApp } from '../apps/store.ts';
import type { Place } from '../contacts/store.ts';
import { tellTemplate } from '../messages/news.ts';
import type { ProviderCalls } from '../provider-calls.ts';
import { findTemplate, noteTemplate, type TemplateNews, type TemplateRow } from './store.ts';

export const templateQueue = 'template';

export interface RegistrarContext {
  readonly db: Db;
  readonly jobs: Jobs;
  readonly desk: AppDesk;
  readonly calls: ProviderCalls;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

interface Payload {
  readonly environment: Environment;
  /** A template that is to be taken away; its row may be gone. */
  readonly remove?: { readonly appId: string; readonly name: string };
}

const retryMs = 30_000;
/** Webhooks tell of a verdict; this is for those that never came. */
const askAgainMs = 600_000;
const pagesMax = 70;

export function startRegistrar(context: RegistrarContext): Worker {
  return context.jobs.work<Payload>({
    ...{ queue: templateQueue, batch: 1, concurrency: 2 },
    handler: async (claimed) => {
      for (const job of claimed) await work(context, job);
    },
  });
}

async function work(context: RegistrarContext, job: Job<Payload>): Promise<void> {
  const { environment, remove } = job.payload;
  const place = { tenantId: job.tenantId, environment };
  if (remove !== undefined) return takeAway(context, place, remove, job);
  const { db, desk } = context;
  const { row, app } = await db.tenant(place.tenantId, async (tx) => {
    const found = await findTemplate(tx, place, job.key);
    const of = found?.app_id == null ? undefined : await findApp(tx, place, found.app_id);
    return { row: found, app: of };
  });
  if (row?.status !== 'pending' || app === undefined) return end(context, place, job);
  const opened = desk.open(place, app);
  const registry = opened.channel.templates as TemplateRegistry<unknown> | undefined;
  if (registry === undefined) return end(context, place, job);
  const outcome =
    row.provider_id === null
      ? await submit(context, place, opened, registry, row)
      : await askFor(context, place, opened, registry, row);
  await note(context, place, job, row, outcome);
}

async function submit(
  { calls, clock }: RegistrarContext,
  { environment }: Place,
  { app, channel }: OpenedApp,
  registry: TemplateRegistry<unknown>,
  { definition }: TemplateRow,
): Promise<TemplateOutcome> {
  const request = registry.submit(definition, app);
  const answer = await calls.exchange(environment, channel.id, request);
  if (answer.kind !== 'answered') return { kind: 'retry', reason: answer.reason };
  return registry.readSubmission(definition, answer.response, clock());
}

/** Looks for it in the network's list. */
async function askFor(
  { calls, clock }: RegistrarContext,
  { environment }: Place,
  { app, channel }: OpenedApp,
  registry: TemplateRegistry<unknown>,
  row: TemplateRow,
): Promise<TemplateOutcome> {
  let after: string | undefined;
  for (let page = 0; page < pagesMax; page += 1) {
    const answer = await calls.exchange(environment, channel.id, registry.list(app, after));
    if (answer.kind !== 'answered') return { kind: 'retry', reason: answer.reason };
    const listing = registry.readList(answer.response, clock());
    if (listing.kind !== 'page') return listing;
    const found = listing.templates.find(({ templateId }) => templateId === row.provider_id);
    if (found !== undefined) return { kind: 'held', template: found };
    if (listing.after === undefined) break;
    ({ after } = listing);
  }
  return { kind: 'retry', reason: 'not in the network’s list', afterMs: askAgainMs };
}

async function note(
  context: RegistrarContext,
  place: Place,
  job: Job,
  { id }: TemplateRow,
  outcome: TemplateOutcome,
): Promise<void> {
  const { db, jobs, clock } = context;
  const news = newsOf(outcome);
  await db.tenant(place.tenantId, async (tx) => {
    const change =
      news === undefined ? undefined : await noteTemplate(tx, place, { id }, news, clock());
    if (change !== undefined) await tellTemplate(tx, context, place, change);
    if (change !== undefined && change.status !== 'pending') {
      return jobs.complete(tx, place.tenantId, [job]);
    }
    const waitMs = outcome.kind === 'retry' ? (outcome.afterMs ?? retryMs) : askAgainMs;
    const runAt = new Date(clock().getTime() + waitMs);
    return jobs.reschedule(tx, place.tenantId, [{ job, runAt }]);
  });
}

function newsOf(outcome: TemplateOutcome): TemplateNews | undefined {
  const nothing = { provider_id: null, category: null, quality: null };
  if (outcome.kind === 'held') return stateOf(outcome.template);
  if (outcome.kind !== 'refused') return undefined;
  const { code, detail } = outcome;
  return { ...nothing, status: 'rejected', reason: `${code}: ${detail}`.slice(0, 1_000) };
}

function stateOf({ templateId, status, category, quality, reason }: TemplateState): TemplateNews {
  return {
    provider_id: templateId,
    status: status ?? null,
    category: category ?? null,
    quality: quality ?? null,
    reason: reason ?? null,
  };
}

async function takeAway(
  context: RegistrarContext,
  place: Place,
  { appId, name }: NonNullable<Payload['remove']>,
  job: Job<Payload>,
): Promise<void> {
  const { db, jobs, desk, calls, clock } = context;
  const app = await db.tenant(place.tenantId, (tx) => findApp(tx, place, appId));
  const opened = app === undefined ? undefined : desk.open(place, app);
  const registry = opened?.channel.templates as TemplateRegistry<unknown> | undefined;
  if (opened === undefined || registry === undefined) return end(context, place, job);
  const request = registry.remove(name, opened.app);
  const answer = await calls.exchange(place.environment, opened.channel.id, request);
  const outcome: TemplateOutcome =
    answer.kind === 'answered'
      ? registry.readRemoval(answer.response, clock())
      : { kind: 'retry', reason: answer.reason };
  if (outcome.kind !== 'retry') return end(context, place, job);
  const runAt = new Date(clock().getTime() + (outcome.afterMs ?? retryMs));
  await db.tenant(place.tenantId, (tx) => jobs.reschedule(tx, place.tenantId, [{ job, runAt }]));
}

async function end({ db, jobs }: RegistrarContext, place: Place, job: Job): Promise<void> {
  await db.tenant(place.tenantId, (tx) => jobs.complete(tx, place.tenantId, [job]));
}
