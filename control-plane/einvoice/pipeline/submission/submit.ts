import { busy } from '@drawbridge/concurrency/semaphore.ts';
import type { SubmissionOutcome } from '../../../authorities/contract.ts';
import { forSubjects } from '../../../platform/tracing/active-spans.ts';
import { settleEach } from '../settle-each.ts';
import { saveAuthorityStatuses, saveSentAt } from '../store.ts';
import { type PipelineContext, reschedule, type WorkItem, waitUntil } from '../work-item.ts';
import { addressToAuthorities, type OutboundItem } from './outbound-documents.ts';
import { recordOutcomes } from './outcomes.ts';

/** The outcome of each document of a group, in their order. */
export type GroupOutcomes = readonly SubmissionOutcome[] | 'no-endpoint';

/** How long an invoice waits for an authority endpoint to be configured. */
const noEndpointDelayMs = 600_000;

/**
 * `validated` → `submitted` and further, for items that this worker has just marked as sent, so
 * that no look-up is needed.
 */
export async function submit(
  context: PipelineContext,
  tenantId: string,
  items: readonly WorkItem[],
): Promise<void> {
  await exchangeWithAuthorities(context, tenantId, items, (group) => sendGroup(context, group));
}

/**
 * Exchanges the items with their authorities in groups (one authority, one environment, at most as
 * many as one call takes), and records the outcomes.
 */
export async function exchangeWithAuthorities(
  context: PipelineContext,
  tenantId: string,
  items: readonly WorkItem[],
  ask: (group: readonly OutboundItem[]) => Promise<GroupOutcomes>,
): Promise<void> {
  if (items.length === 0) return;
  const sendable = await addressToAuthorities(context.db, tenantId, items);
  await settleEach(context.log, groupByAuthority(context, sendable), async (group) => {
    const answers = await ask(group);
    if (answers === 'no-endpoint') await waitForEndpoint(context, tenantId, group);
    else await recordOutcomes(context, tenantId, group, answers);
  });
}

/** Sends the frozen bytes of a group. */
export async function sendGroup(
  { concurrency, authorities }: PipelineContext,
  group: readonly OutboundItem[],
): Promise<GroupOutcomes> {
  if (group.length === 0) return [];
  const { authority, item } = group[0]!;
  const { environment } = item.invoice;
  const documents = group.map(({ document }) => document);
  const answers = await forSubjects(group, idOf, () =>
    concurrency.authorities.run(item.job.tenantId, keyOfGroup(group), () =>
      authorities.submit(authority, environment, documents),
    ),
  );
  if (answers === busy) return group.map(() => ({ kind: 'retry', reason: busyReason }));
  return answers ?? 'no-endpoint';
}

/** Asks for the status of a group's documents; sends none. */
export async function lookUpGroup(
  { concurrency, authorities }: PipelineContext,
  group: readonly OutboundItem[],
): Promise<GroupOutcomes> {
  if (group.length === 0) return [];
  const { authority, item } = group[0]!;
  const { environment } = item.invoice;
  const questions = group.map(({ document, reference, sentAt }) => ({
    document,
    ...(reference === null ? {} : { reference }),
    ...(sentAt === null ? {} : { sentAt }),
  }));
  const answers = await forSubjects(group, idOf, () =>
    concurrency.authorities.run(item.job.tenantId, keyOfGroup(group), () =>
      authorities.lookUp(authority, environment, questions),
    ),
  );
  if (answers === busy) return group.map(() => ({ kind: 'unknown', reason: busyReason }));
  return answers ?? 'no-endpoint';
}

const busyReason = 'the authority is slow: as many calls as allowed are under way';

function keyOfGroup([first]: readonly OutboundItem[]): string {
  return authorityKey(first!);
}

function idOf({ item: { invoice } }: OutboundItem): string {
  return invoice.id;
}

function authorityKey({ authority, item: { invoice } }: OutboundItem): string {
  return `${authority} ${invoice.profile} ${invoice.environment}`;
}

async function waitForEndpoint(
  context: PipelineContext,
  tenantId: string,
  group: readonly OutboundItem[],
): Promise<void> {
  const at = new Date(context.clock().getTime() + noEndpointDelayMs);
  const postponed = group.map(({ item }) => waitUntil(item, at));
  await context.db.tenant(tenantId, async (tx) => {
    await reschedule(context, tx, tenantId, postponed);
    const unsent = group.filter(({ item }) => item.invoice.state === 'validated');
    const ids = unsent.map(({ item }) => item.invoice.id);
    await saveSentAt(tx, tenantId, ids, null);
    const status = 'waiting: no endpoint is configured for this authority';
    const notes = group.map(({ item }) => ({ id: item.invoice.id, status, reference: null }));
    await saveAuthorityStatuses(tx, tenantId, notes);
  });
}

/** Groups of one authority and one environment, at most as many documents as one call takes. */
export function* groupByAuthority(
  context: PipelineContext,
  sendable: readonly OutboundItem[],
): Generator<readonly OutboundItem[]> {
  for (const group of Map.groupBy(sendable, authorityKey).values()) {
    const size = context.authorities.batchMax(group[0]!.authority);
    for (let at = 0; at < group.length; at += size) yield group.slice(at, at + size);
  }
}
