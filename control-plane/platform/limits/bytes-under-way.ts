import { usedToFree } from '@drawbridge/concurrency/fair-semaphore.ts';

/**
 * Bounds the bytes that are held at once, of each tenant and in all. What a tenant holds is also at most three times
 * what it leaves free, so that a few tenants together leave something to the next.
 *
 * ```ts
 * const bodies = new BytesUnderWay({ tenantMax: 64_000_000, allMax: 256_000_000 });
 * const verdict = bodies.take(tenantId, bytes);
 * if (verdict !== 'taken') return refuse(verdict);
 * try { await work(); } finally { bodies.giveBack(tenantId, bytes); }
 * ```
 */
export class BytesUnderWay {
  readonly #limits: BytesUnderWayLimits;
  readonly #byTenant = new Map<string, number>();
  #all = 0;

  constructor(limits: BytesUnderWayLimits) {
    this.#limits = limits;
  }

  /** Takes that many bytes, or says whose are too many: the tenant's, or those of all. */
  take(tenantId: string, bytes: number): 'taken' | 'tenant' | 'all' {
    const own = (this.#byTenant.get(tenantId) ?? 0) + bytes;
    if (own > this.#limits.tenantMax) return 'tenant';
    if (own > usedToFree * (this.#limits.allMax - this.#all - bytes)) return 'all';
    this.#byTenant.set(tenantId, own);
    this.#all += bytes;
    return 'taken';
  }

  giveBack(tenantId: string, bytes: number): void {
    const left = (this.#byTenant.get(tenantId) ?? 0) - bytes;
    if (left === 0) this.#byTenant.delete(tenantId);
    else this.#byTenant.set(tenantId, left);
    this.#all -= bytes;
  }
}

export interface BytesUnderWayLimits {
  readonly tenantMax: number;
  readonly allMax: number;
}
