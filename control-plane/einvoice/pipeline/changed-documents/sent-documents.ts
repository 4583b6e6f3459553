import { notPosted, type PostedCondition } from '@drawbridge/lifecycle/submission-policy.ts';
import { profileById } from '@drawbridge/profiles/registry.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import type { DocumentIdentity, InvoiceError } from '@drawbridge/validation/source/verdict.ts';
import { sourceChangedEvent } from '@drawbridge/webhooks/events.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { RandomBytes } from '../../../platform/ids.ts';
import { addEvents } from '../../../webhooks/store.ts';
import { endedMessage } from '../../document-checks/refusal.ts';
import { invoiceEvent } from '../../invoices/event.ts';
import { lockInvoices } from '../store.ts';
import type { PipelineContext } from '../work-item.ts';
import type { Wanted } from './judge.ts';
import { isAllAsBefore, isAsBefore, isTotalAsBefore, type Origins } from './source-values.ts';
import { findOrigins, type SentInvoice, saveWarnings } from './store.ts';

/** A document that was sent to its authority, as its source holds it now. */
type ComparedDocument =
  /** Another document in a file of the same name. */
  | { readonly kind: 'another' }
  /** `differs` says what is not as that invoice was sent, a sentence each; empty where all is. */
  | { readonly kind: 'same'; readonly invoice: string; readonly differs: readonly string[] }
  /** There was no time to look. */
  | { readonly kind: 'busy' };

/**
 * Compares what a source holds with the invoices of that document that were sent, the latest first;
 * undefined when there are none. What only a mapping or the company profile makes otherwise by now is as it
 * was sent.
 */
export async function compareWithSent(
  { checker, clock, db }: Pick<PipelineContext, 'checker' | 'clock' | 'db'>,
  tenantId: string,
  source: SourceDocument,
  { mappings, company, posted }: Wanted,
  sent: readonly SentInvoice[],
): Promise<ComparedDocument | undefined> {
  const [latest] = sent;
  if (latest === undefined) return undefined;
  const header = source.sections.header?.[0];
  const mapping = mappings.find(({ profile }) => profile === latest.profile);
  const outcome = await checker.identity(tenantId, {
    profile: profileById(latest.profile)!,
    mapping: mapping?.document,
    company: company?.profile,
    connectorId: latest.connector_id,
    source,
    now: clock(),
  });
  if (outcome.kind === 'busy') return { kind: 'busy' };
  // Nothing is known of it then: neither whether it is another, nor what differs.
  if (outcome.kind === 'ended') return unreadable(latest, endedMessage(outcome.cause));
  const taken = unposted(source, posted);
  // What is not mapped any more is not known to have changed.
  if (mapping === undefined) {
    return { kind: 'same', invoice: latest.id, differs: toldDifferences(latest, taken, []) };
  }
  const identity = outcome.result;
  // A file is called by its name, whatever is in it; rows of a database and of an API by themselves.
  const isFile = header?.origin === source.ref;
  if (identity.mappingFault !== undefined) {
    const { number } = identity;
    const isOther = number !== undefined && sent.every((one) => one.number !== number);
    if (isFile && isOther) return { kind: 'another' };
    // A column that is gone or has another form says nothing of a document that was sent.
    return { kind: 'same', invoice: latest.id, differs: toldDifferences(latest, taken, []) };
  }
  const match = sent.find((one) => isSameDocument(one, identity));
  const invoice = match ?? latest;
  const differing = differences(invoice, identity);
  const isMappedAnew = [mapping, company].some(
    (each) => each !== undefined && each.updated_at >= invoice.created_at,
  );
  const isInDoubt = isMappedAnew && differing.length > 0;
  const origins = isInDoubt
    ? await db.tenant(tenantId, (tx) => findOrigins(tx, tenantId, invoice.id))
    : undefined;
  if (isFile && match === undefined && !(origins && isAllAsBefore(origins, source))) {
    return { kind: 'another' };
  }
  const ofSource = isInDoubt
    ? differing.filter(({ hasChanged }) => origins !== undefined && hasChanged(origins, source))
    : differing;
  const differs = toldDifferences(invoice, taken, ofSource);
  return { kind: 'same', invoice: invoice.id, differs };
}

/** What is said of a document that was sent as that invoice, and cannot be read any more. */
export function unreadable(sent: SentInvoice, cause: string) {
  const differs = isSettled(sent)
    ? []
    : [`The document cannot be read in its source any more: ${cause}`];
  return { kind: 'same', invoice: sent.id, differs } as const;
}

/** Whoever corrects what was refused or cancelled changes it. */
function isSettled({ state, authority_status }: SentInvoice): boolean {
  return state === 'rejected' || authority_status === 'cancelled';
}

/** Says by which value the document counts as not posted, which it may be by a condition that is newer. */
function unposted({ sections }: SourceDocument, posted: PostedCondition | undefined): string[] {
  const header = sections.header?.[0]?.values;
  const value = posted && header?.[posted.column];
  if (posted === undefined || value === undefined) return [];
  return notPosted(posted, header) === undefined
    ? []
    : [`The document is not posted in its source: ${posted.column} is "${value ?? ''}".`];
}

/** One without a number cannot be told from the one that was sent. */
function isSameDocument(sent: SentInvoice, now: DocumentIdentity): boolean {
  const { number, documentType = '' } = now;
  if (number === undefined) return true;
  const isOfNumber = number === sent.number && documentType === sent.document_type;
  return isOfNumber && !isOfAnotherYear(sent, now);
}

/** A series of numbers may begin anew with the year. */
function isOfAnotherYear({ issue_year: was }: SentInvoice, { issueYear: is }: DocumentIdentity) {
  return Boolean(was && is) && was !== is;
}

/** A value that is not as it was sent. */
interface Difference {
  readonly phrase: string;
  /** Whether what it was made of is not in the source any more. */
  readonly hasChanged: (origins: Origins, source: SourceDocument) => boolean;
}

function differences(sent: SentInvoice, now: DocumentIdentity): readonly Difference[] {
  const changedAt = (path: string) => (origins: Origins, source: SourceDocument) =>
    !isAsBefore(origins, path, source);
  const totalChanged = (origins: Origins, source: SourceDocument) =>
    !isTotalAsBefore(origins, source);
  const compared = [
    ['the number', sent.number, now.number, changedAt('number')],
    ['the type', sent.document_type, now.documentType, changedAt('type_code')],
    ['the buyer', sent.buyer, now.buyer, changedAt('buyer.name')],
    ['the currency', sent.currency, now.currency, changedAt('currency')],
    ['the total', sent.gross, now.gross, totalChanged],
  ] as const;
  const differing = compared
    .filter(([, was, is]) => (was ?? '') !== (is ?? ''))
    .map(([what, was, is, hasChanged]) => ({
      phrase: `${what} was ${was || 'empty'} and is ${is || 'empty'}`,
      hasChanged,
    }));
  if (!isOfAnotherYear(sent, now)) return differing;
  // Whether its day was corrected or its number used again, only a person can know.
  const phrase =
    `the year of issue was ${sent.issue_year} and is ${now.issueYear}. If it is another document, it is ` +
    'not submitted under a ref that was used before: let the header match a column that never repeats';
  return [...differing, { phrase, hasChanged: changedAt('issue_date') }];
}

function toldDifferences(
  sent: SentInvoice,
  unposted: readonly string[],
  differing: readonly Difference[],
): readonly string[] {
  if (isSettled(sent)) return [];
  // What else changed when it was taken back matters no more.
  if (unposted.length > 0) return unposted;
  const phrases = differing.map(({ phrase }) => phrase).join('; ');
  return phrases === ''
    ? []
    : [`The document changed in its source after it was sent: ${phrases}.`];
}

/**
 * Says in the invoices, and to those who asked for it, what of their documents has changed since they were
 * sent; returns those of them that may have been cancelled.
 */
export async function tellSourceChanges(
  tx: Tx,
  tenantId: string,
  changes: ReadonlyMap<string, readonly string[]>,
  { now, random }: { readonly now: Date; readonly random: RandomBytes },
): Promise<readonly string[]> {
  if (changes.size === 0) return [];
  const invoices = await lockInvoices(tx, tenantId, [...changes.keys()]);
  const told = invoices.flatMap((invoice) => {
    const rule = `${invoice.profile}-SOURCE-CHANGED`;
    const message = messageOf(changes.get(invoice.id)!);
    const known = invoice.warnings.find((warning) => warning.rule === rule);
    if (known?.message === message) return [];
    const others = invoice.warnings.filter((warning) => warning !== known);
    const warning: InvoiceError = { field: '/', rule, message: message ?? '', severity: 'warning' };
    const warnings = message === undefined ? others : [...others, warning];
    return [{ invoice, message, warnings }];
  });
  await saveWarnings(
    tx,
    tenantId,
    told.map(({ invoice, warnings }) => ({ id: invoice.id, warnings })),
    now,
  );
  const events = told.flatMap(({ invoice, message: reason }) =>
    reason === undefined
      ? []
      : [invoiceEvent(invoice, sourceChangedEvent, { data: { reason } }, { now, random })],
  );
  await addEvents(tx, tenantId, events);
  return told.flatMap(({ invoice: { id, state } }) =>
    state === 'cleared' || state === 'acknowledged' ? [id] : [],
  );
}

function messageOf(differs: readonly string[]): string | undefined {
  if (differs.length === 0) return undefined;
  return (
    `${differs.join(' ')} What was sent stays as it was. ` +
    'Correct it by a credit note, or have it cancelled by its authority and submit it again.'
  );
}
