/**
 * Work to be done later, by any node. `key` is unique in the tenant and queue: when it is enqueued
 * twice it is one job.
 */
export interface NewJob {
  readonly queue: string;
  readonly key: string;
  readonly payload?: unknown;
  /** Default: now. */
  readonly runAt?: Date;
}

/** A job that this process holds until its lease ends. */
export interface Job<Payload = unknown> {
  readonly id: number;
  readonly tenantId: string;
  readonly queue: string;
  readonly key: string;
  readonly payload: Payload;
  /** How often it was claimed since its handler last rescheduled it, counting this claim. */
  readonly attempt: number;
  /** The span that enqueued it. */
  readonly traceparent?: string | null;
  /** The fencing token: settling the job under an older one is refused. */
  readonly claimId: string;
}

/**
 * The lease ran out and another worker may have the job: the transaction that settles it must not
 * commit.
 */
export class LeaseLost extends Error {
  constructor(queue: string) {
    super(`a job of ${queue} is no longer held by this worker`);
    this.name = 'LeaseLost';
  }
}

/**
 * The jobs of a batch by tenant, because each tenant's jobs are settled in a separate transaction.
 */
export function byTenant<Payload>(jobs: readonly Job<Payload>[]): Map<string, Job<Payload>[]> {
  return Map.groupBy(jobs, ({ tenantId }) => tenantId);
}
