/** Decides what one contact of a broadcast's segment gets; pure. */

import { decimal } from '@drawbridge/decimal/decimal.ts';
import { type Blueprint, compose } from '@drawbridge/messaging/broadcast/compose.ts';
import { type PriceTable, priceOf } from '@drawbridge/messaging/broadcast/price.ts';
import {
  isTimeZone,
  type QuietHours,
  quietUntil,
} from '@drawbridge/messaging/broadcast/quiet-hours.ts';
import type { Content } from '@drawbridge/messaging/message.ts';
import { unitsOf } from '../../messages/sending/billing.ts';
import type { Candidate } from './store.ts';

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
export interface RecipientRules {
  readonly blueprint: Blueprint;
  readonly requiresConsent: boolean;
  /** Undefined: the channel is free of charge. */
  readonly prices: PriceTable | undefined;
  readonly timeZone: string;
  readonly quiet: QuietHours | undefined;
  /** When the messages may be sent, except in quiet hours. */
  readonly from: Date;
}

export type RecipientOutcome =
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

/** The attribute with a person's own time zone. */
const zoneAttribute = 'time_zone';

/**
 * Decides for one contact after another; what depends only on the time zone is computed once for
 * each zone.
 */
export function outcomeOf(
  rules: RecipientRules,
): (candidate: Candidate, codeOf: (url: string) => string) => RecipientOutcome {
  const clocks = clocksOf(rules);
  return (candidate, codeOf) => {
    const reason = whySkipped(rules, candidate);
    if (reason !== undefined) return { kind: 'skipped', reason };
    const composition = compose(rules.blueprint, candidate, codeOf);
    if (composition.kind === 'missing') {
      return { kind: 'skipped', reason: 'missing_variable', detail: composition.variable };
    }
    const { content, preview } = composition;
    const address = candidate.address!;
    const price = costOf(rules, address, content);
    if (price === undefined) return { kind: 'skipped', reason: 'no_price' };
    const { timeZone, dueAt } = clocks(candidate.attributes[zoneAttribute]);
    return { kind: 'reached', address, content, preview, price, timeZone, dueAt };
  };
}

function whySkipped(
  { blueprint: { channel, isRegistered }, requiresConsent }: RecipientRules,
  candidate: Candidate,
): SkipReason | undefined {
  if (candidate.address === null) return channel === 'botchat' ? 'not_started' : 'no_address';
  if (!candidate.has_started) return 'not_started';
  if (candidate.is_blocked) return 'blocked';
  if (candidate.is_opted_out) return 'opted_out';
  if (requiresConsent && !candidate.is_consenting) return 'no_consent';
  if (candidate.is_duplicate) return 'duplicate';
  // SMS and RCS only reach numbers.
  const isNumber = candidate.address.startsWith('+');
  if ((channel === 'sms' || channel === 'rcs') && !isNumber) return 'no_address';
  if (candidate.is_reached === false) return 'not_reachable';
  // Indian carriers drop every text that is not registered with them.
  const isIndian = candidate.address.startsWith('+91');
  return channel === 'sms' && isIndian && !isRegistered ? 'not_registered' : undefined;
}

/** Null: the message is free. Undefined: it costs, and no price is set. */
function costOf(
  { prices, blueprint }: RecipientRules,
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

function clocksOf({ timeZone, quiet, from }: RecipientRules): (given: unknown) => LocalClock {
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

/** There are about 600 zones; any other text in the attribute is not worth caching. */
const zonesKept = 2_000;
