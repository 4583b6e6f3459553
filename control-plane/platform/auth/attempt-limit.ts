/**
 * Limits how often the credentials from one address may fail, over all nodes.
 *
 * ```ts
 * const attempts = createAttemptLimit({ limits, clock, max: 100 });
 * const waitMs = attempts.waitMs(ip, authorization);
 * if (waitMs > 0) return tooManyRequests(waitMs);
 * if (await isAccepted(authorization)) attempts.accepted(authorization);
 * else await attempts.failed(ip);
 * ```
 *
 * An address may be that of a whole company, so credentials that this node accepted lately are let
 * through while others from the same address wait. A provider gives a customer of IPv6 a range of
 * 64 bits, so that range counts as one address.
 */
import { hash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { Clock } from '../ids.ts';
import type { RateLimits } from '../limits/rate-limits.ts';

export interface AttemptLimit {
  /** Milliseconds until these credentials may be tried from this address; 0: now. */
  waitMs(ip: string, authorization: string): number;
  accepted(authorization: string): void;
  /** Counts a failure. Rejects when the database does not answer. */
  failed(ip: string): Promise<void>;
}

export interface AttemptLimitOptions {
  readonly limits: RateLimits;
  readonly clock: Clock;
  /** Failures of one address within a minute. */
  readonly max: number;
}

const windowMs = 60_000;
const acceptedKept = 10_000;
const addressesKept = 10_000;

export function createAttemptLimit({ limits, clock, max }: AttemptLimitOptions): AttemptLimit {
  const blockedUntil = new Map<string, number>();
  const accepted = new Set<string>();
  return {
    waitMs: (ip, authorization) => {
      const address = networkOf(ip);
      const until = blockedUntil.get(address);
      if (until === undefined) return 0;
      const waitMs = until - clock().getTime();
      if (waitMs <= 0) blockedUntil.delete(address);
      return waitMs <= 0 || accepted.has(digestOf(authorization)) ? 0 : waitMs;
    },
    accepted: (authorization) => {
      const digest = digestOf(authorization);
      accepted.delete(digest);
      accepted.add(digest);
      if (accepted.size > acceptedKept) accepted.delete(accepted.values().next().value!);
    },
    failed: async (ip) => {
      const address = networkOf(ip);
      const key = `failed credentials ${address}`;
      const { remaining, retryAfterMs } = await limits.take(key, { max, windowMs }, 1);
      if (remaining > 0) return;
      blockedUntil.set(address, clock().getTime() + (retryAfterMs || windowMs));
      if (blockedUntil.size > addressesKept) {
        blockedUntil.delete(blockedUntil.keys().next().value!);
      }
    },
  };
}

function digestOf(authorization: string): string {
  return hash('sha256', authorization, 'base64');
}

/** The address, or the first 64 bits of one of IPv6. */
function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  return (address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}
