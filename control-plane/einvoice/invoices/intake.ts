import type { Checks } from '@drawbridge/lifecycle/transitions.ts';
import type { ProfileId } from '@drawbridge/profiles/contract.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { claimKeys, type KeyedRequest, recallKeys } from '../../platform/idempotency/claim.ts';
import { type Clock, newId, type RandomBytes } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { type ConnectorRow, findConnectors } from '../connectors/store.ts';
import { create, newInvoice } from './creation.ts';
import type { NewInvoice } from './store.ts';

/** A request to submit, its shape checked. */
export interface Submission {
  readonly tenantId: string;
  readonly environment: Environment;
  readonly connectorId: string;
  readonly profile: ProfileId | undefined;
  readonly sourceRef: string;
  readonly idempotencyKey: string | undefined;
  /** SHA-256 of the canonical body. */
  readonly fingerprint: string;
}

export type Acceptance =
  | { readonly kind: 'created'; readonly id: string; readonly checks: Checks }
  /** The same key with the same payload was accepted before. */
  | { readonly kind: 'replayed'; readonly id: string }
  | { readonly kind: 'payload-mismatch' }
  | { readonly kind: 'no-connector' }
  | { readonly kind: 'no-profile' };

/** Submissions of one tenant that share a transaction. */
const batchMax = 200;

/** What a submission would make, or why it would make nothing, were it the first with its key. */
interface Draft {
  readonly outcome: { readonly kind: 'draft'; readonly invoice: NewInvoice } | Acceptance;
  /** Undefined when the caller sent no Idempotency-Key. */
  readonly request: KeyedRequest | undefined;
}

interface Waiting {
  readonly submission: Submission;
  readonly resolve: (acceptance: Acceptance) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Accepts submissions. Those that arrive while a transaction commits share the next one, so the
 * disk is asked once for many; each is durable before it is answered.
 */
export class Intake {
  readonly #db: Db;
  readonly #jobs: Jobs;
  readonly #clock: Clock;
  readonly #random: RandomBytes;
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #draining = new Map<string, Promise<void>>();

  constructor(db: Db, jobs: Jobs, clock: Clock, random: RandomBytes) {
    this.#db = db;
    this.#jobs = jobs;
    this.#clock = clock;
    this.#random = random;
  }

  accept(submission: Submission): Promise<Acceptance> {
    return new Promise((resolve, reject) => {
      const queue = this.#waiting.get(submission.tenantId) ?? [];
      this.#waiting.set(submission.tenantId, queue);
      queue.push({ submission, resolve, reject });
      const { tenantId } = submission;
      if (!this.#draining.has(tenantId)) {
        this.#draining.set(tenantId, this.#drain(tenantId, queue));
      }
    });
  }

  /** Resolves once those that are being accepted now are; at once when there are none. */
  async quiet(): Promise<void> {
    await Promise.all(this.#draining.values());
  }

  async #drain(tenantId: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0, batchMax);
      try {
        const accepted = await this.#db.tenant(tenantId, (tx) => this.#write(tx, tenantId, batch));
        for (const [index, each] of batch.entries()) each.resolve(accepted[index]!);
      } catch (error) {
        for (const each of batch) each.reject(error);
      }
    }
    this.#waiting.delete(tenantId);
    this.#draining.delete(tenantId);
  }

  async #write(tx: Tx, tenantId: string, batch: readonly Waiting[]): Promise<Acceptance[]> {
    const submissions = batch.map((each) => each.submission);
    const connectors = await connectorsOf(tx, tenantId, submissions);
    const now = this.#clock();
    const drafts = submissions.map((each) => this.#draft(each, connectors, now));
    const outcomes = await outcomesOf(tx, tenantId, drafts);
    const created = outcomes.flatMap((each) => (each.kind === 'draft' ? [each.invoice] : []));
    await create(tx, this.#jobs, tenantId, created, { now, random: this.#random });
    return outcomes.map((each) =>
      each.kind === 'draft'
        ? { kind: 'created', id: each.invoice.id, checks: each.invoice.checks }
        : each,
    );
  }

  #draft(submission: Submission, connectors: ReadonlyMap<string, ConnectorRow>, now: Date): Draft {
    const { environment, idempotencyKey: key, fingerprint } = submission;
    const madeId = newId('inv', () => now, this.#random);
    const keyed = { environment, route: 'POST /v1/invoices', fingerprint, madeId };
    return {
      request: key === undefined ? undefined : { ...keyed, key },
      outcome: this.#outcome(submission, connectors.get(submission.connectorId), madeId, now),
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
    const { tenantId, environment, sourceRef } = submission;
    const given = { id, tenantId, environment, connectorId: connector.id, profile, sourceRef };
    return { kind: 'draft', invoice: newInvoice(given, { now, random: this.#random }) };
  }
}

/**
 * Of those with an Idempotency-Key only the first may make something. What was made stays made when
 * the connector is gone since, so a key is looked up before anything else is refused.
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
