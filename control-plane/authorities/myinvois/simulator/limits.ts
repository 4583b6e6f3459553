/** Calls a minute for one client, as LHDN recommends them for production. */
export const productionLimits: Readonly<Record<string, number>> = {
  login: 12,
  submit: 100,
  submission: 300,
  state: 12,
  raw: 60,
  details: 125,
  recent: 12,
  search: 12,
  taxpayer: 60,
  'taxpayer-search': 60,
  'taxpayer-qr': 60,
};

export interface Grant {
  readonly granted: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly waitSeconds: number;
}

/** One token bucket for each client and call, filled at the call's rate. */
export class RateLimits {
  #perMinute: Record<string, number>;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(perMinute: Readonly<Record<string, number>>) {
    this.#perMinute = { ...perMinute };
  }

  configure(perMinute: Readonly<Record<string, number>>): void {
    this.#perMinute = { ...this.#perMinute, ...perMinute };
    this.#buckets.clear();
  }

  /** Takes one call, or undefined when this call has no limit. */
  take(clientId: string, call: string, now: Date): Grant | undefined {
    const limit = this.#perMinute[call];
    if (limit === undefined) return undefined;
    const key = `${clientId} ${call}`;
    const at = now.getTime();
    const bucket = this.#buckets.get(key) ?? { tokens: limit, at };
    const tokens = Math.min(limit, bucket.tokens + ((at - bucket.at) / 60_000) * limit);
    const granted = tokens >= 1;
    const left = granted ? tokens - 1 : tokens;
    this.#buckets.set(key, { tokens: left, at });
    const waitSeconds = granted ? 0 : Math.max(1, Math.ceil(((1 - tokens) / limit) * 60));
    return { granted, limit, remaining: Math.floor(left), waitSeconds };
  }
}
