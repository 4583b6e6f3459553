/** How fast a broadcast may go: the tenant's cap and the app's own rate, whichever is lower. */
import { type Pace, shareAt } from '@drawbridge/messaging/broadcast/pace.ts';
import type { Rate } from '../../channels/contract.ts';
import type { Limit } from '../../platform/limits/limits.ts';
import type { Place } from '../contacts/store.ts';
import { appKey } from '../messages/outbox.ts';

/** A limit under its key. */
export interface Gate {
  readonly key: string;
  readonly limit: Limit;
}

/** Left to single messages and replies while some of them wait. */
const headroom = 0.1;
/** The two gates that a message passes, the narrower first: what the second refuses is lost. */
export function gatesOf(
  { tenantId, environment }: Place,
  app: { readonly id: string; readonly rate: Rate },
  tenantRate: number,
  pace: Pace,
  nowMs: number,
  leavesRoom: boolean,
): readonly [Gate, Gate] {
  const share = shareAt(pace, nowMs) * (leavesRoom ? 1 - headroom : 1);
  const max = Math.max(1, Math.floor(app.rate.count * share));
  const ofApp = { key: appKey(app.id), limit: { max, windowMs: app.rate.perMs } };
  const ofTenant = {
    key: `broadcast ${tenantId} ${environment}`,
    limit: { max: tenantRate, windowMs: 1_000 },
  };
  return perSecond(ofApp) < perSecond(ofTenant) ? [ofApp, ofTenant] : [ofTenant, ofApp];
}

/** Messages a second through a gate. */
export function perSecond({ limit }: Gate): number {
  return (limit.max * 1_000) / limit.windowMs;
}
