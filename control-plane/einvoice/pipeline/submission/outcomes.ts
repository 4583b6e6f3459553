import type { Checks } from '@drawbridge/lifecycle/transitions.ts';
import { profileById } from '@drawbridge/profiles/registry.ts';
import type { SubmissionOutcome } from '../../../authorities/contract.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { settledOr } from '../../document-checks/refusal.ts';
import type { InvoiceRow } from '../../invoices/store.ts';
import {
  type AuthorityStatusRow,
  type FinalDocumentRow,
  readModels,
  saveAuthorityStatuses,
  saveFinalDocuments,
  saveForwardings,
  saveSentAt,
} from '../store.ts';
import { applyTransitions, type InvoiceTransition } from '../transitions.ts';
import {
  completeJobs,
  type PipelineContext,
  type Postponement,
  reschedule,
  retryLater,
  triedForMs,
  waitUntil,
} from '../work-item.ts';
import type { OutboundItem } from './outbound-documents.ts';

/** Saves the outcomes: transitions, the document with its identifier, and the jobs that follow. */
export async function recordOutcomes(
  context: PipelineContext,
  tenantId: string,
  sent: readonly OutboundItem[],
  outcomes: readonly SubmissionOutcome[],
): Promise<void> {
  const answered = sent.map((each, index) => ({ ...each, outcome: outcomes[index]! }));
  // Validating takes milliseconds for each document, so it is done before the transaction.
  const finals = await finalDocumentsOf(context, tenantId, answered.filter(needsFinalDocument));
  await context.db.tenant(tenantId, (tx) => record(context, tx, tenantId, answered, finals));
}

interface AnsweredItem extends OutboundItem {
  readonly outcome: SubmissionOutcome;
}

async function record(
  context: PipelineContext,
  tx: Tx,
  tenantId: string,
  answered: readonly AnsweredItem[],
  finals: readonly FinalDocumentRow[],
): Promise<void> {
  const now = context.clock();
  const transitions = answered.flatMap(({ item, outcome }) => transitionsOf(item.invoice, outcome));
  const { random, metrics } = context;
  // Nothing was accepted for certain: the next worker need not look it up before it sends.
  const notAccepted = answered.filter(({ outcome }) => outcome.kind === 'retry');
  const notAcceptedIds = notAccepted.map(({ item }) => item.invoice.id);
  const settled = answered.filter(({ outcome }) => isFinal(outcome));
  const open = answered.filter(({ outcome }) => !isFinal(outcome));
  const isGivenUp = (each: AnsweredItem): boolean => isOverdue(context, each, now);
  const postponed = open.filter((each) => !isGivenUp(each));
  const postponements = postponed.map((each) => postponementOf(each, now));
  const givenUp = open.filter(isGivenUp);
  const over = [...settled, ...givenUp].map(({ item }) => item);
  const [current] = await Promise.all([
    applyTransitions(tx, tenantId, transitions, { now, random, metrics }),
    completeJobs(context, tx, tenantId, over),
    reschedule(context, tx, tenantId, postponements),
    saveFinalDocuments(tx, tenantId, finals),
    withhold(tx, tenantId, finals, now),
    showAnswers(tx, tenantId, answered),
    saveSentAt(tx, tenantId, notAcceptedIds, null),
  ]);
  await giveUp(context, tx, tenantId, givenUp);
  const valid = new Set(finals.filter(({ isValid }) => isValid).map(({ id }) => id));
  const next = settled.flatMap(({ item: { invoice } }) =>
    nextJobs(current.get(invoice.id)!, valid.has(invoice.id), now),
  );
  await context.jobs.enqueue(tx, tenantId, next);
}

function isFinal({ kind }: SubmissionOutcome): boolean {
  return kind === 'cleared' || kind === 'delivered' || kind === 'refused';
}

/** For an invoice in `validated` an answer means two transitions: `submitted`, then the outcome. */
function transitionsOf(invoice: InvoiceRow, outcome: SubmissionOutcome): InvoiceTransition[] {
  const submitted: InvoiceTransition[] =
    invoice.state === 'validated' ? [{ invoice, trigger: 'submit' }] : [];
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

type ClearedItem = OutboundItem & {
  readonly outcome: Extract<SubmissionOutcome, { kind: 'cleared' }>;
};

function needsFinalDocument(each: AnsweredItem): each is ClearedItem {
  const { route } = profileById(each.item.invoice.profile)!;
  return each.outcome.kind === 'cleared' && route !== 'exchange';
}

async function finalDocumentsOf(
  context: PipelineContext,
  tenantId: string,
  cleared: readonly ClearedItem[],
): Promise<FinalDocumentRow[]> {
  if (cleared.length === 0) return [];
  const ids = cleared.map(({ item }) => item.invoice.id);
  const models = await context.db.tenant(tenantId, (tx) => readModels(tx, tenantId, ids));
  const finals: FinalDocumentRow[] = [];
  for (const each of cleared) {
    finals.push(...(await finalDocumentOf(context, tenantId, each, models)));
  }
  return finals;
}

/** The document that carries the identifier, checked by both stages like the one before it. */
async function finalDocumentOf(
  context: PipelineContext,
  tenantId: string,
  { item, outcome }: ClearedItem,
  models: ReadonlyMap<string, string>,
): Promise<FinalDocumentRow[]> {
  const { id, profile: profileId } = item.invoice;
  try {
    const model = models.get(id)!;
    const profile = profileById(profileId)!;
    const { xml, errors } = settledOr(
      await context.checker.final(tenantId, profile, model, outcome),
    );
    // It passed without the identifier, so the added identifier is at fault.
    if (errors.length > 0) {
      context.log.error({ invoice: id, errors }, 'a cleared document fails its checks');
    }
    return [{ id, xml, isValid: errors.length === 0 }];
  } catch (err) {
    // The invoice is cleared all the same, and the client must not wait for a correction.
    context.log.error({ err, invoice: id }, 'a cleared document could not be written');
    return [];
  }
}

/** Keeps a final document that fails its checks from being sent to the buyer. */
async function withhold(
  tx: Tx,
  tenantId: string,
  finals: readonly FinalDocumentRow[],
  now: Date,
): Promise<void> {
  const reason = 'the document with its identifier fails its checks';
  const forwarding = { status: 'withheld', reason, at: now.toISOString() } as const;
  const invalid = finals.filter(({ isValid }) => !isValid);
  await saveForwardings(
    tx,
    tenantId,
    invalid.map(({ id }) => ({ id, forwarding })),
  );
}

/** Saves what people see next to the state while it does not change. */
async function showAnswers(
  tx: Tx,
  tenantId: string,
  answered: readonly AnsweredItem[],
): Promise<void> {
  const notes = answered.flatMap(({ item: { invoice }, outcome }): AuthorityStatusRow[] => {
    const { id, state } = invoice;
    if ('reason' in outcome) {
      const status = `${outcome.kind}: ${outcome.reason}`.slice(0, statusLengthMax);
      return [{ id, status, reference: null }];
    }
    // Otherwise the transition to `submitted` has saved it.
    return outcome.kind === 'pending' && state === 'submitted'
      ? [{ id, status: 'pending', reference: outcome.reference }]
      : [];
  });
  await saveAuthorityStatuses(tx, tenantId, notes);
}

const statusLengthMax = 500;

/** How long an invoice waits that needs a person to correct the configuration. */
const misconfiguredDelayMs = 300_000;
/** The longest wait between two questions. */
const pollMsMax = 3_600_000;
/** The wait for the next question is at least this part of the time since submission. */
const pollShareOfAge = 1 / 20;
/** Questions are put off to whole multiples of this, so that those of many invoices go together. */
const pollTogetherMs = 500;

function postponementOf({ item, outcome }: AnsweredItem, now: Date): Postponement {
  switch (outcome.kind) {
    case 'pending': {
      const age = waitedMs(item.invoice, now);
      const pollMs = Math.max(outcome.pollAfterMs, Math.min(age * pollShareOfAge, pollMsMax));
      return waitUntil(item, nextMultiple(now.getTime() + pollMs, pollTogetherMs));
    }
    case 'retry':
    case 'unknown':
      return retryLater(item, now, outcome.reason, outcome.afterMs);
    case 'misconfigured':
      return retryLater(item, now, outcome.reason, misconfiguredDelayMs);
    default:
      throw new Error(`an invoice that is ${outcome.kind} has nothing to wait for`);
  }
}

function nextMultiple(time: number, stepMs: number): Date {
  return new Date(Math.ceil(time / stepMs) * stepMs);
}

/** Milliseconds since it became `submitted`, which was the last change of its state. */
function waitedMs({ state, updated_at }: InvoiceRow, now: Date): number {
  return state === 'submitted' ? now.getTime() - updated_at.getTime() : 0;
}

function isOverdue(
  { settings }: PipelineContext,
  { item: { invoice, job } }: AnsweredItem,
  now: Date,
): boolean {
  return (
    invoice.state === 'submitted' &&
    triedForMs(job, invoice.updated_at, now) > settings.authorityGiveUpMs
  );
}

/**
 * Stops asking for the verdict. The document was sent, so it stays `submitted`: if it were shown as
 * rejected, somebody might submit it again.
 */
async function giveUp(
  context: PipelineContext,
  tx: Tx,
  tenantId: string,
  answered: readonly AnsweredItem[],
): Promise<void> {
  const hours = Math.round(context.settings.authorityGiveUpMs / 3_600_000);
  const status = `unanswered: no verdict came within ${hours} hours; it is no longer asked for`;
  const notes = answered.map(({ item }) => ({ id: item.invoice.id, status, reference: null }));
  await saveAuthorityStatuses(tx, tenantId, notes);
  for (const { id } of notes) context.log.warn({ invoice: id }, status);
}

/**
 * The jobs after the outcome: the write-back into the ERP and, for a cleared invoice, forwarding it
 * to the buyer and acknowledging it at the end of the cancellation window.
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
