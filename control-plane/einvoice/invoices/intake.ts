import type { Checks } from '@drawbridge/lifecycle/transitions.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import { Batcher } from '../../platform/concurrency/batcher.ts';
import type { Db } from '../../platform/db/database.ts';
import { faultOf } from '../../platform/db/errors.ts';
import type { Tx } from '../../platform/db/tx.ts';
import {
  claimKeys,
  forgetKeys,
  type KeyedRequest,
  recallKeys,
} from '../../platform/idempotency/claim.ts';
import { type Clock, newId, type RandomBytes } from '../../platform/ids.ts';
import {
  activeSpans,
  annotate,
  type SubjectSpan,
  subjectSpan,
  withSpans,
} from '../../platform/tracing/active-spans.ts';
import { type ConnectorRow, findConnectors } from '../connectors/store.ts';
import { createInvoices, type InvoiceTargets, newInvoice } from './new-invoices.ts';
import {
  findOpenSubmissions,
  lockSubmissions,
  type NewInvoice,
  type OpenSubmission,
} from './store.ts';

/** A request to submit, its shape checked. */
export interface Submission {
  readonly tenantId: string;
  readonly environment: Environment;
  readonly connectorId: string;
  readonly profile: string | undefined;
  readonly sourceRef: string;
  /** The user or the key. */
  readonly submittedBy?: string;
  readonly idempotencyKey: string | undefined;
  /** SHA-256 of the canonical body. */
  readonly fingerprint: string;
}

export type Acceptance =
  | { readonly kind: 'created'; readonly id: string; readonly checks: Checks }
  /** The same key with the same payload was accepted before. */
  | { readonly kind: 'replayed'; readonly id: string }
  | { readonly kind: 'payload-mismatch' }
  /** The document is on its way already, or settled well, as that invoice. */
  | ({ readonly kind: 'duplicate' } & Earlier)
  | { readonly kind: 'no-connector' }
  | { readonly kind: 'no-profile' };

/** Submissions of one tenant that share a transaction. */
const batchMax = 200;

/** What a submission makes if it is the first with its key, or why it makes nothing. */
interface Draft {
  readonly outcome: { readonly kind: 'draft'; readonly invoice: NewInvoice } | Acceptance;
  /** Undefined when the caller sent no Idempotency-Key. */
  readonly request: KeyedRequest | undefined;
}

/** A submission with the id that its invoice gets: writing it twice makes one invoice. */
interface PendingSubmission {
  readonly submission: Submission;
  readonly id: string;
  /** The request, as a span about that invoice. */
  readonly spans: readonly SubjectSpan[];
}

/**
 * Accepts submissions. Submissions of a tenant that arrive while a transaction commits share the
 * next one, so that one commit serves many; each is durable before it is answered.
 */
export class Intake {
  readonly #targets: InvoiceTargets;
  readonly #clock: Clock;
  readonly #random: RandomBytes;
  readonly #batches: Batcher<PendingSubmission, Acceptance>;

  constructor(db: Db, targets: InvoiceTargets, clock: Clock, random: RandomBytes) {
    this.#targets = targets;
    this.#clock = clock;
    this.#random = random;
    this.#batches = new Batcher({
      batchMax,
      write: (batch) => {
        const { tenantId } = batch[0]!.submission;
        const spans = batch.flatMap((each) => each.spans);
        return withSpans(spans, () =>
          db.tenant(tenantId, (tx) => this.#write(tx, tenantId, batch)),
        );
      },
      isSharedError: (error) => faultOf(error).code === 'unavailable',
    });
  }

  /** An id for the invoice of a submission. */
  newId(): string {
    return newId('inv', this.#clock, this.#random);
  }

  /** Resolves once the submission is committed. `id` is that of its invoice, if it makes one. */
  async accept(submission: Submission, id = this.newId()): Promise<Acceptance> {
    const spans = activeSpans().map(({ span }) => subjectSpan(id, span));
    const acceptance = await this.#batches.add(submission.tenantId, { submission, id, spans });
    if ('id' in acceptance) annotate(() => ({ 'drawbridge.invoice.id': acceptance.id }));
    return acceptance;
  }

  /** Resolves once the submissions being accepted now are committed. */
  whenIdle(): Promise<void> {
    return this.#batches.drain();
  }

  async #write(
    tx: Tx,
    tenantId: string,
    batch: readonly PendingSubmission[],
  ): Promise<Acceptance[]> {
    const submissions = batch.map((each) => each.submission);
    const connectors = await connectorsOf(tx, tenantId, submissions);
    const now = this.#clock();
    const drafts = batch.map((each) => this.#draft(each, connectors, now));
    const claimed = await outcomesOf(tx, tenantId, drafts);
    const outcomes = await refuseRepeated(tx, tenantId, claimed, connectors);
    // Who submits it again may have cancelled it on the authority's portal, which has not told us yet.
    const earlier = outcomes.flatMap((each) => (each.kind === 'duplicate' ? [each.id] : []));
    if (earlier.length > 0) await this.#targets.jobs.runNow(tx, tenantId, 'acknowledge', earlier);
    const created = outcomes.flatMap((each) => (each.kind === 'draft' ? [each.invoice] : []));
    await createInvoices(tx, this.#targets, tenantId, created, { now, random: this.#random });
    return outcomes.map((each) =>
      each.kind === 'draft'
        ? { kind: 'created', id: each.invoice.id, checks: each.invoice.checks }
        : each,
    );
  }

  #draft(
    { submission, id }: PendingSubmission,
    connectors: ReadonlyMap<string, ConnectorRow>,
    now: Date,
  ): Draft {
    const { environment, idempotencyKey: key, fingerprint } = submission;
    const keyed = { environment, route: 'POST /v1/invoices', fingerprint, madeId: id };
    return {
      request: key === undefined ? undefined : { ...keyed, key },
      outcome: this.#outcome(submission, connectors.get(submission.connectorId), id, now),
    };
  }

  #outcome(
    submission: Submission,
    connector: ConnectorRow | undefined,
    id: string,
    now: Date,
  ): Draft['outcome'] {
    if (connector === undefined) return { kind: 'no-connector' };
    const profile = submission.profile ?? connector.default_profile;
    if (profile === null) return { kind: 'no-profile' };
    const { tenantId, environment, sourceRef, submittedBy } = submission;
    const connectorId = connector.id;
    const given = { id, tenantId, environment, connectorId, profile, sourceRef, submittedBy };
    return { kind: 'draft', invoice: newInvoice(given, { now, random: this.#random }) };
  }
}

/**
 * Of submissions with the same Idempotency-Key only the first may make an invoice. A repeat finds
 * its invoice even when the connector is gone, so the key is looked up before anything is refused.
 */
async function outcomesOf(
  tx: Tx,
  tenantId: string,
  drafts: readonly Draft[],
): Promise<Draft['outcome'][]> {
  const [making, refused] = [
    drafts.filter(({ outcome, request }) => request !== undefined && outcome.kind === 'draft'),
    drafts.filter(({ outcome, request }) => request !== undefined && outcome.kind !== 'draft'),
  ];
  const verdicts = [
    ...(await claimKeys(tx, tenantId, making.map(requestOf))),
    ...(await recallKeys(tx, tenantId, refused.map(requestOf))),
  ];
  const byDraft = new Map([...making, ...refused].map((draft, at) => [draft, verdicts[at]!]));
  return drafts.map((draft) => {
    const verdict = byDraft.get(draft);
    if (verdict === undefined || verdict.kind === 'fresh') return draft.outcome;
    return verdict.kind === 'mismatch'
      ? { kind: 'payload-mismatch' }
      : { kind: 'replayed', id: verdict.madeId };
  });
}

/** The invoice that a document was submitted as before. */
type Earlier = Pick<OpenSubmission, 'id' | 'state' | 'waits_for' | 'cancellable_until'>;

/**
 * Of drafts of one document in one environment only the first is left, and none when the document is
 * on its way or settled well, unless its connector takes it again. The lock makes one who submits the
 * same at the same moment wait, and then see the invoice.
 */
async function refuseRepeated(
  tx: Tx,
  tenantId: string,
  outcomes: readonly Draft['outcome'][],
  connectors: ReadonlyMap<string, ConnectorRow>,
): Promise<readonly Draft['outcome'][]> {
  const strict = outcomes.flatMap((each) => {
    if (each.kind !== 'draft') return [];
    const isStrict = connectors.get(each.invoice.connector_id)?.duplicates === 'reject';
    return isStrict ? [each.invoice] : [];
  });
  if (strict.length === 0) return outcomes;
  const connectorIds = strict.map((each) => each.connector_id);
  // Sent together; the second begins once the first has its locks.
  const [, open] = await Promise.all([
    lockSubmissions(tx, connectorIds),
    findOpenSubmissions(tx, tenantId, strict),
  ]);
  const known = new Map<string, Earlier>(open.map((each) => [documentOf(each), each]));
  const refused = new Map<string, Earlier>();
  for (const invoice of strict) {
    const earlier = known.get(documentOf(invoice));
    if (earlier === undefined) known.set(documentOf(invoice), { ...invoice, ...unsent });
    else refused.set(invoice.id, earlier);
  }
  // Nothing is made under their keys: the same request is taken once the earlier one is rejected.
  if (refused.size > 0) await forgetKeys(tx, tenantId, [...refused.keys()]);
  return outcomes.map((each) => {
    const id = each.kind === 'draft' ? each.invoice.id : 'id' in each ? each.id : '';
    const earlier = refused.get(id);
    return earlier === undefined ? each : { kind: 'duplicate', ...earlier };
  });
}

const unsent = { state: 'received', waits_for: null, cancellable_until: null } as const;

function documentOf(given: Pick<NewInvoice, 'environment' | 'connector_id' | 'source_ref'>) {
  return JSON.stringify([given.environment, given.connector_id, given.source_ref]);
}

function requestOf({ request }: Draft): KeyedRequest {
  return request!;
}

async function connectorsOf(
  tx: Tx,
  tenantId: string,
  submissions: readonly Submission[],
): Promise<ReadonlyMap<string, ConnectorRow>> {
  const ids = [...new Set(submissions.map((each) => each.connectorId))];
  const rows = await findConnectors(tx, tenantId, ids);
  return new Map(rows.map((row) => [row.id, row]));
}
