/** What is told of a leg, and what it then is; nothing here touches anything. */
import { billedSeconds, callCost } from '@drawbridge/messaging/call-rate.ts';
import { isFinal, statusAfter } from '@drawbridge/messaging/call-status.ts';
import type { LegReport } from '../../../channels/voice-contract.ts';
import type { LegRow } from './store.ts';

/** No conversation lasts longer, whatever is told. */
const secondsMax = 86_400;

/** A report, also of somebody who does not know the provider's id of the leg. */
export type LegTold = Omit<LegReport, 'legId'> & { readonly legId?: string };

/** The cause of an end that was supposed. */
export const endNotHeard = 'the end was not heard';

/** Why a number was not dialled at all. */
export const refusals = ['no_rate', 'insufficient_funds'] as const;
export type Refusal = (typeof refusals)[number];

/** The channel of a leg on a PBX: told from the call's own, and found again by who takes it up. */
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
 * The leg that a report is about: by the provider's id; and the first time by its number, or because
 * no other leg of the document is left. Undefined when it cannot be told.
 */
export function legOf(
  legs: readonly LegRow[],
  { legId, to }: Pick<LegTold, 'legId' | 'to'>,
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
 * The leg once that was told, in whatever order it comes: the first end holds. Only an end that was
 * supposed, or had no conversation, gives way to one that had.
 */
export function legAfter(leg: LegRow, told: LegTold, at: Date): LegRow {
  const claimed = { ...leg, provider_leg_id: leg.provider_leg_id ?? told.legId ?? null };
  const isTalk = told.status === 'completed' && (told.durationSeconds ?? 0) > 0;
  if (leg.ended_at !== null && !(isTalk && leg.duration_seconds === 0)) return claimed;
  const isAnswer = told.status === 'in_progress';
  const answered_at = leg.answered_at ?? (isAnswer ? at : null);
  if (!isFinal(told.status)) {
    return {
      ...claimed,
      status: statusAfter(leg.status, told.status) as LegRow['status'],
      answered_at,
    };
  }
  return endedAt({ ...claimed, answered_at }, told, at);
}

function endedAt(leg: LegRow, told: LegTold, at: Date): LegRow {
  const since = leg.answered_at;
  // A second that was begun was talked in.
  const measured = since === null ? 0 : Math.ceil((at.getTime() - since.getTime()) / 1_000);
  const seconds = Math.max(0, Math.min(secondsMax, Math.round(told.durationSeconds ?? measured)));
  const wasAnswered = since !== null || seconds > 0;
  const isCut = told.status === 'completed' && told.durationSeconds === undefined;
  const unanswered = isCut ? 'canceled' : told.status;
  return {
    ...leg,
    // After an answer it is complete, however it ended.
    status: wasAnswered ? 'completed' : unanswered,
    cause: told.cause?.slice(0, 200) ?? null,
    answered_at: since ?? (wasAnswered ? new Date(at.getTime() - seconds * 1_000) : null),
    ended_at: at,
    ...paidFor(leg, wasAnswered ? seconds : 0),
  };
}

/** What nobody told the end of: an answered leg lasted as long as its call, others never were. */
export function givenUp(leg: LegRow, callEndedAt: Date): LegRow {
  if (leg.answered_at === null) {
    return { ...leg, status: 'unknown', ended_at: callEndedAt, ...paidFor(leg, 0) };
  }
  const at = callEndedAt < leg.answered_at ? leg.answered_at : callEndedAt;
  return endedAt(leg, { status: 'completed', cause: endNotHeard }, at);
}

function paidFor({ rate }: LegRow, duration_seconds: number) {
  return {
    duration_seconds,
    billed_seconds: rate === null ? 0 : billedSeconds(duration_seconds, rate),
    cost: rate === null ? '0' : callCost(duration_seconds, rate),
  };
}
