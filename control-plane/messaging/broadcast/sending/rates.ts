/** How fast a broadcast may go: the tenant's cap and the app's own rate, whichever is lower. */
import { type Pace, shareAt } from '@drawbridge/messaging/broadcast/pace.ts';
import type { Rate } from '../../../channels/contract.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { RateLimit } from '../../../platform/limits/rate-limits.ts';
import { appKey } from '../../messages/sending/outbox.ts';

/** A limit with its key. */
export interface KeyedLimit {
  readonly key: string;
  readonly limit: RateLimit;
}

/** What the limits of a broadcast depend on. */
export interface RateSources {
  readonly scope: TenantScope;
  readonly app: { readonly id: string; readonly rate: Rate };
  /** Messages a second that the tenant may send. */
  readonly tenantRate: number;
  readonly pace: Pace;
  readonly nowMs: number;
  /** Single messages wait for the app. */
  readonly leavesRoom: boolean;
}

/** The share left to single messages and replies while some of them wait. */
const reservedShare = 0.1;

/**
 * The two limits that a message passes. The narrower is first, because grants that the second limit
 * refuses are lost.
 */
export function limitsOf(sources: RateSources): readonly [KeyedLimit, KeyedLimit] {
  const { scope, app, tenantRate, pace, nowMs, leavesRoom } = sources;
  const share = shareAt(pace, nowMs) * (leavesRoom ? 1 - reservedShare : 1);
  const max = Math.max(1, Math.floor(app.rate.count * share));
  const ofApp = { key: appKey(app.id), limit: { max, windowMs: app.rate.perMs } };
  const ofTenant = {
    key: `broadcast ${scope.tenantId} ${scope.environment}`,
    limit: { max: tenantRate, windowMs: 1_000 },
  };
  return perSecond(ofApp) < perSecond(ofTenant) ? [ofApp, ofTenant] : [ofTenant, ofApp];
}

/** The messages a second that a limit allows. */
export function perSecond({ limit }: KeyedLimit): number {
  return (limit.max * 1_000) / limit.windowMs;
}
