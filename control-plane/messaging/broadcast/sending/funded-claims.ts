import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Job } from '../../../platform/jobs/job.ts';
import type { MessageRow } from '../../messages/message-row.ts';
import { reserveMany } from '../../tenants/wallet/store.ts';
import type { BroadcastContext } from '../context.ts';
import { claimDue } from './message-store.ts';

export type Claim =
  | { readonly kind: 'claimed'; readonly rows: readonly MessageRow[] }
  /** The wallet does not have enough for all of them. */
  | { readonly kind: 'short-of-funds' };

/** Claims due messages of one broadcast, together with the money for them. */
export class FundedClaims {
  readonly #context: BroadcastContext;
  readonly #scope: TenantScope;
  readonly #job: Job;
  readonly #broadcastId: string;
  #countMax = Number.POSITIVE_INFINITY;

  constructor(context: BroadcastContext, scope: TenantScope, job: Job, broadcastId: string) {
    this.#context = context;
    this.#scope = scope;
    this.#job = job;
    this.#broadcastId = broadcastId;
  }

  /** How many messages to claim at once; one, after the wallet did not have enough for a batch. */
  get countMax(): number {
    return this.#countMax;
  }

  /**
   * Records the intent to send: once it is committed, a later crash can be detected. Throws
   * `LeaseLost` when another node has the broadcast.
   */
  async claim(count: number): Promise<Claim> {
    const { db, jobs, clock } = this.#context;
    const { tenantId, environment } = this.#scope;
    const [broadcastId, claimId] = [this.#broadcastId, this.#job.claimId];
    try {
      const rows = await db.tenant(tenantId, async (tx) => {
        const now = clock();
        const due = await claimDue(tx, this.#scope, { broadcastId, claimId, wanted: count, now });
        const shares = due.flatMap(({ id, price }) =>
          price === null ? [] : [{ reference: id, amount: price }],
        );
        const isPaid =
          shares.length === 0 || (await reserveMany(tx, tenantId, environment, shares, now));
        if (!isPaid) throw new ShortOfFunds();
        // The last statement, because batches block each other from here to the commit.
        await jobs.renewLeases(tx, [this.#job]);
        return due;
      });
      return { kind: 'claimed', rows };
    } catch (error) {
      if (!(error instanceof ShortOfFunds)) throw error;
      this.#countMax = 1;
      return { kind: 'short-of-funds' };
    }
  }
}

/** Rolls a claim back. */
class ShortOfFunds extends Error {}
