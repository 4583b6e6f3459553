import type { SubmissionOutcome } from '../../authorities/contract.ts';
import { addressed, type Sendable } from './address.ts';
import { apart } from './apart.ts';
import { type Course, later, type PipelineContext, rest } from './course.ts';
import { busy } from './lanes.ts';
import { recordOutcomes } from './outcomes.ts';
import { noteSent, noteStandings } from './store.ts';

/** What an exchange told of each document, in their order. */
export type Answers = readonly SubmissionOutcome[] | 'no-endpoint';

/** How long an invoice rests for which no authority endpoint is configured. */
const unconfiguredRestMs = 600_000;

/**
 * `validated` → `submitted`, and on, for courses that this very worker marked as sent a moment ago:
 * they go out at once.
 */
export async function submit(
  context: PipelineContext,
  tenantId: string,
  courses: readonly Course[],
): Promise<void> {
  await exchange(context, tenantId, courses, (group) => send(context, group));
}

/**
 * Exchanges the courses with their authorities, in groups that may travel together (one authority,
 * one environment, no more than it takes), and records what came of it.
 */
export async function exchange(
  context: PipelineContext,
  tenantId: string,
  courses: readonly Course[],
  ask: (group: readonly Sendable[]) => Promise<Answers>,
): Promise<void> {
  if (courses.length === 0) return;
  const sendable = await addressed(context.db, tenantId, courses);
  await apart(context.log, groups(context, sendable), async (group) => {
    const answers = await ask(group);
    if (answers === 'no-endpoint') await waitForEndpoint(context, tenantId, group);
    else await recordOutcomes(context, tenantId, group, answers);
  });
}

/** Sends the frozen bytes of a group. */
export async function send(
  { lanes, authorities }: PipelineContext,
  group: readonly Sendable[],
): Promise<Answers> {
  if (group.length === 0) return [];
  const { authority, course } = group[0]!;
  const { environment } = course.invoice;
  const documents = group.map(({ document }) => document);
  const answers = await lanes.authorities.through(laneOf(group), () =>
    authorities.submit(authority, environment, documents),
  );
  if (answers === busy) return group.map(() => ({ kind: 'retry', reason: outOfTurn }));
  return answers ?? 'no-endpoint';
}

/** Asks how the documents of a group stand; nothing is sent. */
export async function lookUp(
  { lanes, authorities }: PipelineContext,
  group: readonly Sendable[],
): Promise<Answers> {
  if (group.length === 0) return [];
  const { authority, course } = group[0]!;
  const { environment } = course.invoice;
  const questions = group.map(({ document, reference, sentAt }) => ({
    document,
    ...(reference === null ? {} : { reference }),
    ...(sentAt === null ? {} : { sentAt }),
  }));
  const answers = await lanes.authorities.through(laneOf(group), () =>
    authorities.lookUp(authority, environment, questions),
  );
  if (answers === busy) return group.map(() => ({ kind: 'unknown', reason: outOfTurn }));
  return answers ?? 'no-endpoint';
}

const outOfTurn = 'waiting for its turn, the authority is slow';

function laneOf([first]: readonly Sendable[]): string {
  return placeOf(first!);
}

function placeOf({ authority, course: { invoice } }: Sendable): string {
  return `${authority} ${invoice.profile} ${invoice.environment}`;
}

async function waitForEndpoint(
  context: PipelineContext,
  tenantId: string,
  group: readonly Sendable[],
): Promise<void> {
  const at = new Date(context.clock().getTime() + unconfiguredRestMs);
  const rests = group.map(({ course }) => later(course, at));
  await context.db.tenant(tenantId, async (tx) => {
    await rest(context, tx, tenantId, rests);
    const unsent = group.filter(({ course }) => course.invoice.state === 'validated');
    const ids = unsent.map(({ course }) => course.invoice.id);
    await noteSent(tx, tenantId, ids, null);
    const status = 'waiting: no endpoint is configured for this authority';
    const notes = group.map(({ course }) => ({ id: course.invoice.id, status, reference: null }));
    await noteStandings(tx, tenantId, notes);
  });
}

/** Documents that may travel together: one authority, one environment, no more than it takes. */
export function* groups(
  context: PipelineContext,
  sendable: readonly Sendable[],
): Generator<readonly Sendable[]> {
  for (const group of Map.groupBy(sendable, placeOf).values()) {
    const size = context.authorities.batchMax(group[0]!.authority);
    for (let at = 0; at < group.length; at += size) yield group.slice(at, at + size);
  }
}
