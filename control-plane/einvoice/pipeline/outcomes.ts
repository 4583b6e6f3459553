import type { Checks } from '@drawbridge/lifecycle/transitions.ts';
import { profileById } from '@drawbridge/profiles/registry.ts';
import type { SubmissionOutcome } from '../../authorities/contract.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { InvoiceRow } from '../invoices/store.ts';
import type { Sendable } from './address.ts';
import { again, finish, later, type PipelineContext, type Rest, rest } from './course.ts';
import {
  type FinalRow,
  keepFinals,
  keepForwardings,
  noteSent,
  noteStandings,
  type Standing,
} from './store.ts';
import { type Move, makeMoves } from './transition.ts';

/** Writes what the authority said: moves, the document with its identifier, and what comes next. */
export async function recordOutcomes(
  context: PipelineContext,
  tenantId: string,
  sent: readonly Sendable[],
  outcomes: readonly SubmissionOutcome[],
): Promise<void> {
  const answered = sent.map((each, index) => ({ ...each, outcome: outcomes[index]! }));
  // Validating takes milliseconds a document: not while a transaction holds rows.
  const finals = answered.flatMap((each) => finalOf(context, each));
  await context.db.tenant(tenantId, (tx) => record(context, tx, tenantId, answered, finals));
}

interface Answered extends Sendable {
  readonly outcome: SubmissionOutcome;
}

async function record(
  context: PipelineContext,
  tx: Tx,
  tenantId: string,
  answered: readonly Answered[],
  finals: readonly FinalRow[],
): Promise<void> {
  const now = context.clock();
  const moves = answered.flatMap(({ course, outcome }) => movesOf(course.invoice, outcome));
  const stands = await makeMoves(tx, tenantId, moves, { now, random: context.random });
  await keepFinals(tx, tenantId, finals);
  await withhold(tx, tenantId, finals, now);
  await noteAnswers(tx, tenantId, answered);
  // Certain that nothing was taken: the next worker need not ask before it sends.
  const untaken = answered.filter(({ outcome }) => outcome.kind === 'retry');
  const untakenIds = untaken.map(({ course }) => course.invoice.id);
  await noteSent(tx, tenantId, untakenIds, null);
  const settled = answered.filter(({ outcome }) => isFinal(outcome));
  const open = answered.filter(({ outcome }) => !isFinal(outcome));
  const isGivenUp = (each: Answered): boolean => isUnanswered(context, each, now);
  const rests = open.filter((each) => !isGivenUp(each));
  await rest(
    context,
    tx,
    tenantId,
    rests.map((each) => restOf(each, now)),
  );
  const givenUp = open.filter(isGivenUp);
  await giveUp(context, tx, tenantId, givenUp);
  const over = [...settled, ...givenUp].map(({ course }) => course);
  await finish(context, tx, tenantId, over);
  const sound = new Set(finals.filter(({ isSound }) => isSound).map(({ id }) => id));
  const next = settled.flatMap(({ course: { invoice } }) =>
    nextJobs(stands.get(invoice.id)!, sound.has(invoice.id), now),
  );
  await context.jobs.enqueue(tx, tenantId, next);
}

function isFinal({ kind }: SubmissionOutcome): boolean {
  return kind === 'cleared' || kind === 'delivered' || kind === 'refused';
}

/** From `validated` the authority's answer is two moves: it was submitted, and this came of it. */
function movesOf(invoice: InvoiceRow, outcome: SubmissionOutcome): Move[] {
  const submitted: Move[] = invoice.state === 'validated' ? [{ invoice, trigger: 'submit' }] : [];
  switch (outcome.kind) {
    case 'pending':
      return submitted.map((move) => ({
        ...move,
        change: { authorityReference: outcome.reference, authorityStatus: 'pending' },
      }));
    case 'delivered':
      return [
        ...submitted,
        {
          invoice,
          trigger: 'deliver',
          change: { authorityReference: outcome.reference, authorityStatus: 'delivered' },
        },
      ];
    case 'cleared':
      return [...submitted, { invoice, trigger: 'clear', change: cleared(invoice, outcome) }];
    case 'refused':
      return [
        ...submitted,
        {
          invoice,
          trigger: 'refuse',
          change: {
            authorityStatus: 'refused',
            checks: clearanceCheck(invoice, 'failed'),
            errors: outcome.errors.map(({ code, message, location, translations }) => ({
              field: location ?? '/',
              rule: `${invoice.profile}-${code}`,
              message,
              severity: 'fatal',
              ...(translations === undefined ? {} : { translations }),
            })),
          },
        },
      ];
    case 'retry':
    case 'unknown':
    case 'misconfigured':
      return [];
  }
}

function cleared(invoice: InvoiceRow, outcome: Extract<SubmissionOutcome, { kind: 'cleared' }>) {
  return {
    authorityReference: outcome.reference,
    authorityStatus: outcome.authorityStatus ?? 'valid',
    uin: outcome.uin,
    checks: clearanceCheck(invoice, 'passed'),
    ...(outcome.validationUrl === undefined ? {} : { validationUrl: outcome.validationUrl }),
    ...(outcome.cancellableUntil === undefined
      ? {}
      : { cancellableUntil: new Date(outcome.cancellableUntil) }),
  };
}

function clearanceCheck({ checks }: InvoiceRow, value: 'passed' | 'failed'): Checks {
  return 'authority_clearance' in checks ? { ...checks, authority_clearance: value } : checks;
}

/** The document that carries the identifier, checked by both stages like the one before it. */
function finalOf(context: PipelineContext, { course, content, outcome }: Answered): FinalRow[] {
  const { id, profile: profileId } = course.invoice;
  const profile = profileById(profileId)!;
  if (outcome.kind !== 'cleared' || profile.route === 'exchange') return [];
  try {
    const cim = profile.route.embed(content.cim, outcome);
    const { xml, errors } = context.validator.validate(profile, cim);
    // It passed without the identifier: what fails now is our doing, and someone must know.
    if (errors.length > 0) {
      context.log.error({ invoice: id, errors }, 'a cleared document fails its checks');
    }
    return [{ id, xml, isSound: errors.length === 0 }];
  } catch (err) {
    // The invoice is cleared whatever we make of it; the client must not wait for our mending.
    context.log.error({ err, invoice: id }, 'a cleared document could not be written');
    return [];
  }
}

/** What fails its checks is not sent to anybody. */
async function withhold(
  tx: Tx,
  tenantId: string,
  finals: readonly FinalRow[],
  now: Date,
): Promise<void> {
  const reason = 'the document with its identifier fails its checks';
  const forwarding = { status: 'withheld', reason, at: now.toISOString() } as const;
  const unsound = finals.filter(({ isSound }) => !isSound);
  await keepForwardings(
    tx,
    tenantId,
    unsound.map(({ id }) => ({ id, forwarding })),
  );
}

/** What people see beside the state while nothing moves. */
async function noteAnswers(tx: Tx, tenantId: string, answered: readonly Answered[]): Promise<void> {
  const notes = answered.flatMap(({ course: { invoice }, outcome }): Standing[] => {
    const { id, state } = invoice;
    if ('reason' in outcome) {
      const status = `${outcome.kind}: ${outcome.reason}`.slice(0, statusLengthMax);
      return [{ id, status, reference: null }];
    }
    // The move to `submitted` has written it otherwise.
    return outcome.kind === 'pending' && state === 'submitted'
      ? [{ id, status: 'pending', reference: outcome.reference }]
      : [];
  });
  await noteStandings(tx, tenantId, notes);
}

const statusLengthMax = 500;

/** How long an invoice rests that needs a person to mend the configuration. */
const misconfiguredRestMs = 300_000;
/** However long ago it was submitted, it is asked for this often. */
const pollMsMax = 3_600_000;
/** The wait for the next question is at least this part of the time since submission. */
const pollAgePart = 1 / 20;

function restOf({ course, outcome }: Answered, now: Date): Rest {
  switch (outcome.kind) {
    case 'pending': {
      const age = waitedMs(course.invoice, now);
      const pollMs = Math.max(outcome.pollAfterMs, Math.min(age * pollAgePart, pollMsMax));
      return later(course, new Date(now.getTime() + pollMs));
    }
    case 'retry':
    case 'unknown':
      return again(course, now, outcome.reason, outcome.afterMs);
    case 'misconfigured':
      return again(course, now, outcome.reason, misconfiguredRestMs);
    default:
      throw new Error(`an invoice that is ${outcome.kind} has nothing to wait for`);
  }
}

/** Since it is `submitted`: that is when the row last changed its state. */
function waitedMs({ state, updated_at }: InvoiceRow, now: Date): number {
  return state === 'submitted' ? now.getTime() - updated_at.getTime() : 0;
}

function isUnanswered(context: PipelineContext, { course }: Answered, now: Date): boolean {
  return waitedMs(course.invoice, now) > context.settings.authorityGiveUpMs;
}

/**
 * The document went out, so it stays `submitted`: calling it rejected would invite a second one.
 * Only the asking ends.
 */
async function giveUp(
  context: PipelineContext,
  tx: Tx,
  tenantId: string,
  answered: readonly Answered[],
): Promise<void> {
  const hours = Math.round(context.settings.authorityGiveUpMs / 3_600_000);
  const status = `unanswered: no verdict came within ${hours} hours; it is no longer asked for`;
  const notes = answered.map(({ course }) => ({ id: course.invoice.id, status, reference: null }));
  await noteStandings(tx, tenantId, notes);
  for (const { id } of notes) context.log.warn({ invoice: id }, status);
}

/**
 * The confirmation into the ERP; and for a cleared one, its way to the buyer, and the end of the
 * window in which it can be cancelled.
 */
function nextJobs(invoice: InvoiceRow, isForwarded: boolean, now: Date) {
  const payload = {
    environment: invoice.environment,
    invoice: invoice.id,
    status: invoice.state,
    settledAt: now.toISOString(),
  };
  const writeBack = {
    queue: 'write-back',
    key: `${invoice.id}/${invoice.state}`,
    payload,
  };
  const forward = { queue: 'forward', key: invoice.id, payload };
  const forwards = isForwarded ? [forward] : [];
  if (invoice.state !== 'cleared' || invoice.cancellable_until === null) {
    return [writeBack, ...forwards];
  }
  const acknowledge = { queue: 'acknowledge', key: invoice.id, payload };
  return [writeBack, ...forwards, { ...acknowledge, runAt: invoice.cancellable_until }];
}
