/** What becomes of one contact of a broadcast's segment; pure. */

import { decimal } from '@drawbridge/decimal/decimal.ts';
import { type Blueprint, compose } from '@drawbridge/messaging/broadcast/compose.ts';
import { type PriceTable, priceOf } from '@drawbridge/messaging/broadcast/price.ts';
import {
  isTimeZone,
  type QuietHours,
  quietUntil,
} from '@drawbridge/messaging/broadcast/quiet-hours.ts';
import type { Content } from '@drawbridge/messaging/message.ts';
import { unitsOf } from '../messages/billing.ts';
import type { Candidate } from './audience-store.ts';

/** Why a contact of the segment gets no message. */
export const skipReasons = [
  'no_address',
  'not_reachable',
  'not_started',
  'blocked',
  'opted_out',
  'no_consent',
  'duplicate',
  'not_registered',
  'missing_variable',
  'no_price',
] as const;
export type SkipReason = (typeof skipReasons)[number];

/** What is the same for all contacts. */
export interface Recipe {
  readonly blueprint: Blueprint;
  readonly requiresConsent: boolean;
  /** Undefined: the host asks nothing for the channel. */
  readonly prices: PriceTable | undefined;
  readonly timeZone: string;
  readonly quiet: QuietHours | undefined;
  /** When the messages may go, but for quiet hours. */
  readonly from: Date;
}

export type Fate =
  | { readonly kind: 'skipped'; readonly reason: SkipReason; readonly detail?: string }
  | {
      readonly kind: 'reached';
      readonly address: string;
      readonly content: Content;
      readonly preview: string;
      readonly price: string | null;
      readonly timeZone: string;
      readonly dueAt: Date;
    };

/** The attribute that holds a person's own time zone. */
const zoneAttribute = 'time_zone';

/**
 * Decides about contacts one after another; what depends on the time zone alone is worked out once
 * for each.
 */
export function fateOf(
  recipe: Recipe,
): (candidate: Candidate, codeOf: (url: string) => string) => Fate {
  const clocks = clocksOf(recipe);
  return (candidate, codeOf) => {
    const reason = whySkipped(recipe, candidate);
    if (reason !== undefined) return { kind: 'skipped', reason };
    const composition = compose(recipe.blueprint, candidate, codeOf);
    if (composition.kind === 'missing') {
      return { kind: 'skipped', reason: 'missing_variable', detail: composition.variable };
    }
    const { content, preview } = composition;
    const address = candidate.address!;
    const price = costOf(recipe, address, content);
    if (price === undefined) return { kind: 'skipped', reason: 'no_price' };
    const { timeZone, dueAt } = clocks(candidate.attributes[zoneAttribute]);
    return { kind: 'reached', address, content, preview, price, timeZone, dueAt };
  };
}

function whySkipped(
  { blueprint: { channel, isRegistered }, requiresConsent }: Recipe,
  candidate: Candidate,
): SkipReason | undefined {
  if (candidate.address === null) return channel === 'botchat' ? 'not_started' : 'no_address';
  if (!candidate.has_started) return 'not_started';
  if (candidate.is_blocked) return 'blocked';
  if (candidate.is_opted_out) return 'opted_out';
  if (requiresConsent && !candidate.is_consenting) return 'no_consent';
  if (candidate.is_duplicate) return 'duplicate';
  // SMS and RCS reach numbers alone.
  const isNumber = candidate.address.startsWith('+');
  if ((channel === 'sms' || channel === 'rcs') && !isNumber) return 'no_address';
  if (candidate.is_reached === false) return 'not_reachable';
  // Indian carriers drop every text that is not registered with them.
  const isIndian = candidate.address.startsWith('+91');
  return channel === 'sms' && isIndian && !isRegistered ? 'not_registered' : undefined;
}

/** Null: it costs nothing. Undefined: it costs, and nobody has said what. */
function costOf(
  { prices, blueprint }: Recipe,
  address: string,
  content: Content,
): string | null | undefined {
  if (prices === undefined) return null;
  const unit = priceOf(prices, address);
  if (unit === undefined) return undefined;
  const units = unitsOf(blueprint.channel, content);
  return units === 1 ? unit : decimal(unit).times(units).toString();
}

interface LocalClock {
  readonly timeZone: string;
  readonly dueAt: Date;
}

function clocksOf({ timeZone, quiet, from }: Recipe): (given: unknown) => LocalClock {
  const known = new Map<unknown, LocalClock>();
  return (given) => {
    const kept = known.get(given);
    if (kept !== undefined) return kept;
    const zone = typeof given === 'string' && isTimeZone(given) ? given : timeZone;
    const until = quiet === undefined ? undefined : quietUntil(from, zone, quiet);
    const clock = { timeZone: zone, dueAt: until ?? from };
    if (known.size < zonesKept) known.set(given, clock);
    return clock;
  };
}

/** There are some 600 zones; what else stands in the attribute is not worth keeping. */
const zonesKept = 2_000;
