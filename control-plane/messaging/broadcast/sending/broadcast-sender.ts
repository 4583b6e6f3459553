import { setTimeout as delay } from 'node:timers/promises';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Job } from '../../../platform/jobs/job.ts';
import type { OpenedApp } from '../../apps/app-opener.ts';
import type { MessageRow } from '../../messages/message-row.ts';
import { mayStandAsBefore, type Review } from '../../templates/store.ts';
import type { BroadcastContext } from '../context.ts';
import type { BroadcastRow } from '../store.ts';
import { consequencesOf } from './batch-consequences.ts';
import { SendConditions } from './conditions.ts';
import { FundedClaims } from './funded-claims.ts';
import { type GrantedBatch, Grants } from './grants.ts';
import { type Halt, InFlightBatches } from './in-flight.ts';
import { findProgress } from './message-store.ts';

/** Why a sender stopped. */
export type SendEnd =
  | { readonly kind: 'stopped' }
  /** Nothing is left to send. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'later'; readonly at: Date }
  /** A user paused, canceled or removed it. */
  | { readonly kind: 'changed' }
  | ({ readonly kind: 'halted' } & Halt);

const waitMsMax = 250;
/** A message that is due within this time is waited for here. */
const soonMs = 1_000;

/**
 * Sends a running broadcast as fast as it may: takes grants, claims due messages, sends them, and
 * repeats.
 */
export class BroadcastSender {
  readonly #context: BroadcastContext;
  readonly #scope: TenantScope;
  readonly #job: Job;
  readonly #broadcast: BroadcastRow;
  readonly #conditions: SendConditions;
  readonly #grants: Grants;
  readonly #claims: FundedClaims;
  readonly #inFlight = new InFlightBatches();
  /** A claim found fewer messages than it could take: check before taking more grants. */
  #mayBeEmpty = true;

  constructor(context: BroadcastContext, scope: TenantScope, job: Job, broadcast: BroadcastRow) {
    this.#context = context;
    this.#scope = scope;
    this.#job = job;
    this.#broadcast = broadcast;
    this.#conditions = new SendConditions(context, scope, broadcast);
    this.#grants = new Grants(context, scope);
    this.#claims = new FundedClaims(context, scope, job, broadcast.id);
  }

  /**
   * Resolves when none of its batches is in flight. Rejects with the error of the first failed
   * batch.
   */
  async run(isStopping: () => boolean): Promise<SendEnd> {
    let end: SendEnd | undefined;
    try {
      while (end === undefined && !this.#inFlight.hasFailed) {
        if (isStopping()) end = { kind: 'stopped' };
        else end = await this.#step();
      }
    } finally {
      // Also after an error: batches in flight must not outlive the job that permits them.
      await this.#inFlight.allSettled();
    }
    const { halt } = this.#inFlight;
    return halt === undefined ? end! : { kind: 'halted', ...halt };
  }

  /** Starts a batch, or waits until it can; returns why sending stops, else undefined. */
  async #step(): Promise<SendEnd | undefined> {
    if (this.#inFlight.halt !== undefined) return { kind: 'halted', ...this.#inFlight.halt };
    const conditions = await this.#conditions.current((work) => this.#inFlight.start(0, work));
    const { opened, review } = conditions;
    if (opened?.row.state !== 'active') return haltedFor(opened);
    if (this.#inFlight.isFull) return void (await this.#inFlight.oneSettled());
    const isApproved = review === undefined || review.status === 'approved';
    if (this.#mayBeEmpty || !isApproved) {
      const found = await this.#look();
      if (found !== 'due') return found;
    }
    const now = this.#context.clock();
    if (!isApproved) return endedByReview(review, now);
    const nowMs = now.getTime();
    const waitMs = this.#grants.waitMs(nowMs);
    if (waitMs > 0) return void (await delay(Math.min(waitMs, waitMsMax)));
    const { countMax } = this.#claims;
    const granted = await this.#grants.take({ ...conditions, opened }, nowMs, countMax);
    if (granted.kind === 'wait') return void (await delay(Math.min(granted.waitMs, waitMsMax)));
    this.#inFlight.start(granted.count, this.#send(granted));
    return undefined;
  }

  /** Whether a message is due; if none is, what that means. */
  async #look(): Promise<'due' | SendEnd | undefined> {
    const { db, clock } = this.#context;
    const progress = await db.tenant(this.#scope.tenantId, (tx) =>
      findProgress(tx, this.#scope, this.#broadcast.id),
    );
    if (progress?.state !== 'running') return { kind: 'changed' };
    const at = progress.due_at ?? undefined;
    const waitMs = (at?.getTime() ?? Infinity) - clock().getTime();
    this.#mayBeEmpty = waitMs > 0;
    if (!this.#mayBeEmpty) return 'due';
    // A message in flight may be queued again for a retry.
    if (!this.#inFlight.isEmpty) return void (await this.#inFlight.oneSettled());
    if (at === undefined) return { kind: 'empty' };
    if (waitMs > soonMs) return { kind: 'later', at };
    return void (await delay(Math.min(waitMs, waitMsMax)));
  }

  async #send(batch: GrantedBatch): Promise<void> {
    const rows = await this.#grants.spend(batch, (count) => this.#claim(count));
    if (rows.length === 0) return;
    const { sender, clock } = this.#context;
    const { app_id } = this.#broadcast;
    const turn = () => batch.pacer.wait();
    const sent = await sender.send(this.#scope, app_id, this.#job.claimId, rows, turn);
    const { slowDownsMs, willRetry, halt } = consequencesOf(sent);
    const nowMs = clock().getTime();
    for (const afterMs of slowDownsMs) this.#grants.slowDown(nowMs, afterMs);
    if (willRetry) this.#mayBeEmpty = true;
    this.#inFlight.halt ??= halt;
  }

  async #claim(count: number): Promise<readonly MessageRow[]> {
    const claim = await this.#claims.claim(count);
    const rows = claim.kind === 'claimed' ? claim.rows : [];
    if (rows.length < count) this.#mayBeEmpty = true;
    if (claim.kind === 'short-of-funds' && count === 1) {
      this.#inFlight.halt ??= { reason: 'insufficient_funds', detail: null };
    }
    return rows;
  }
}

function haltedFor(opened: OpenedApp | undefined): SendEnd {
  if (opened === undefined) {
    return { kind: 'halted', reason: 'app_not_found', detail: 'The app was removed.' };
  }
  return { kind: 'halted', reason: 'app_stopped', detail: opened.row.stopped_reason };
}

/** The network would refuse each message for good, unless a change is refused and the template stands as before. */
function endedByReview(review: Review, now: Date): SendEnd {
  if (mayStandAsBefore(review, now)) return { kind: 'later', at: new Date(now.getTime() + soonMs) };
  const { status } = review;
  return { kind: 'halted', reason: 'template_not_approved', detail: `The template is ${status}.` };
}
