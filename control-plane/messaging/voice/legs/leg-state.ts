/** How a report changes a leg. Pure functions. */
import { billedSeconds, callCost } from '@drawbridge/messaging/call-rate.ts';
import { isFinal, statusAfter } from '@drawbridge/messaging/call-status.ts';
import type { LegReport } from '../../../channels/voice-contract.ts';
import type { LegRow } from './store.ts';

/** No conversation lasts longer, whatever is reported. */
const secondsMax = 86_400;

/** A report about a leg, perhaps without the provider's id of the leg. */
export type LegUpdate = Omit<LegReport, 'legId'> & { readonly legId?: string };

/** The cause of an end that was assumed. */
export const endUnreported = 'the end was not reported';

/** Why a number was not dialled at all. */
const refusals = ['no_rate', 'insufficient_funds'] as const;
export type Refusal = (typeof refusals)[number];

/**
 * The channel id of a leg on a PBX; it contains the call's id, so that any node can find the leg.
 */
export function legChannelOf(callId: string, document: number, at: number): string {
  return `${callId}-leg${document}-${at}`;
}

/** Whether the channel is that of a leg of the call. */
export function isLegChannel(callId: string, channelId: string): boolean {
  return channelId.startsWith(`${callId}-leg`);
}

/** Whether the leg was never dialled. */
export function isRefused({ cause }: LegRow): boolean {
  return refusals.some((each) => each === cause);
}

/**
 * The leg that a report is about: by the provider's id, and the first time by its number, or because
 * no other leg of the document is left. Undefined when that is unclear.
 */
export function findReportedLeg(
  legs: readonly LegRow[],
  { legId, to }: Pick<LegUpdate, 'legId' | 'to'>,
  document?: number,
): LegRow | undefined {
  const known = legs.find((leg) => leg.provider_leg_id === legId);
  if (known !== undefined && legId !== undefined) return known;
  const nameless = legs.filter((leg) => leg.provider_leg_id === null && !isRefused(leg));
  const here = nameless.filter((leg) => document === undefined || leg.document === document);
  const fitting = here.find((leg) => leg.to_address === to);
  return fitting ?? (here.length === 1 ? here[0] : undefined);
}

/**
 * The leg after a report; reports come in any order. The first end stays, unless it was assumed or
 * had no conversation, and the report has a longer one.
 */
export function withLegUpdate(leg: LegRow, update: LegUpdate, at: Date): LegRow {
  const claimed = { ...leg, provider_leg_id: leg.provider_leg_id ?? update.legId ?? null };
  const before = leg.duration_seconds ?? 0;
  const isLonger = update.status === 'completed' && (update.durationSeconds ?? 0) > before;
  const isAssumed = before === 0 || leg.cause === endUnreported;
  if (leg.ended_at !== null && !(isLonger && isAssumed)) return claimed;
  const isAnswer = update.status === 'in_progress';
  const answered_at = leg.answered_at ?? (isAnswer ? at : null);
  if (!isFinal(update.status)) {
    return {
      ...claimed,
      status: statusAfter(leg.status, update.status) as LegRow['status'],
      answered_at,
    };
  }
  return withEnd({ ...claimed, answered_at }, update, at);
}

function withEnd(leg: LegRow, update: LegUpdate, at: Date): LegRow {
  const since = leg.answered_at;
  // A started second counts in full.
  const measured = since === null ? 0 : Math.ceil((at.getTime() - since.getTime()) / 1_000);
  const seconds = Math.max(0, Math.min(secondsMax, Math.round(update.durationSeconds ?? measured)));
  const wasAnswered = since !== null || seconds > 0;
  const isCut = update.status === 'completed' && update.durationSeconds === undefined;
  const unanswered = isCut ? 'canceled' : update.status;
  return {
    ...leg,
    // After an answer the leg is completed, however it ended.
    status: wasAnswered ? 'completed' : unanswered,
    cause: update.cause?.slice(0, 200) ?? null,
    answered_at: since ?? (wasAnswered ? new Date(at.getTime() - seconds * 1_000) : null),
    ended_at: at,
    ...priceOf(leg, wasAnswered ? seconds : 0),
  };
}

/**
 * Ends a leg whose end was never reported: an answered one together with its call, others as not
 * dialled.
 */
export function closeUnreported(leg: LegRow, callEndedAt: Date): LegRow {
  if (leg.answered_at === null) {
    return { ...leg, status: 'unknown', ended_at: callEndedAt, ...priceOf(leg, 0) };
  }
  const at = callEndedAt < leg.answered_at ? leg.answered_at : callEndedAt;
  return withEnd(leg, { status: 'completed', cause: endUnreported }, at);
}

function priceOf({ rate }: LegRow, duration_seconds: number) {
  return {
    duration_seconds,
    billed_seconds: rate === null ? 0 : billedSeconds(duration_seconds, rate),
    cost: rate === null ? '0' : callCost(duration_seconds, rate),
  };
}
