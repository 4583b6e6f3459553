/** What is told of a call changes its row here and nowhere else: `advance`. */

import {
  atMost,
  billedSeconds,
  callCost,
  restOf,
  totalOf,
} from '@drawbridge/messaging/call-rate.ts';
import { type CallStatus, isFinal, statusAfter } from '@drawbridge/messaging/call-status.ts';
import type { AnsweredBy } from '../../../channels/voice-contract.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { newId } from '../../../platform/ids.ts';
import { addEvents } from '../../../webhooks/store.ts';
import type { Place } from '../../contacts/store.ts';
import { release, settle } from '../../tenants/wallet-store.ts';
import type { VoiceDesk } from '../desk.ts';
import { payLegs } from '../legs/hold.ts';
import { type CallEventKind, type CallRow, insertCallEvent, updateCall } from './store.ts';

/** One thing that somebody told of a call. */
export interface Told {
  readonly status: CallStatus;
  /** When it happened; default: now. */
  readonly at?: Date | undefined;
  readonly intent?: CallRow['intent'] | undefined;
  readonly requestId?: string | undefined;
  readonly callId?: string | undefined;
  readonly durationSeconds?: number | undefined;
  readonly answeredBy?: AnsweredBy | undefined;
  readonly cause?: string | undefined;
  readonly error?: { readonly code: string; readonly detail: string } | undefined;
}

type Desk = Pick<VoiceDesk, 'clock' | 'random' | 'callEnded'>;

/** The call as it is after that; its row must be locked. */
export async function advance(
  desk: Desk,
  tx: Tx,
  place: Place,
  call: CallRow,
  told: Told,
): Promise<CallRow> {
  const now = desk.clock();
  const at = within(told.at ?? now, call, now);
  const after = ended(call, merged(call, told, at), told, at);
  if (hasChanged(call, after)) await updateCall(tx, place, call.id, after);
  await tellOf(desk, tx, place, call, after, at);
  if (isFinal(after.status) && !isFinal(call.status)) {
    await pay(desk, tx, place, after, now);
    await desk.callEnded?.(tx, place, after);
  }
  return after;
}

/** Providers tell many things twice, and some that change nothing. */
function hasChanged(before: CallRow, after: CallRow): boolean {
  return (Object.keys(after) as (keyof CallRow)[]).some((name) => before[name] !== after[name]);
}

/** A provider's clock may be off: nothing happens later than now, or before what came before it. */
function within(at: Date, call: CallRow, now: Date): Date {
  const before = call.answered_at ?? call.rang_at ?? call.created_at;
  return at > now ? now : at < before ? before : at;
}

function merged(call: CallRow, told: Told, at: Date): CallRow {
  const answered_by = call.answered_by ?? told.answeredBy ?? null;
  const status = statusAfter(call.status, told.status, answered_by ?? undefined);
  const isTold = (what: CallStatus) => told.status === what && !isFinal(call.status);
  return {
    ...call,
    ...{ status, answered_by },
    intent: told.intent ?? call.intent,
    request_id: told.requestId ?? call.request_id,
    provider_call_id: call.provider_call_id ?? told.callId ?? null,
    rang_at: call.rang_at ?? (isTold('ringing') ? at : null),
    answered_at: call.answered_at ?? (isTold('in_progress') ? at : null),
  };
}

function ended(before: CallRow, call: CallRow, told: Told, at: Date): CallRow {
  if (!isFinal(call.status) || isFinal(before.status)) return call;
  const measured =
    call.answered_at === null ? 0 : Math.max(0, at.getTime() - call.answered_at.getTime()) / 1_000;
  const isTalk =
    call.answered_at !== null || call.status === 'completed' || call.status === 'machine';
  // A second that was begun was talked in.
  const duration = isTalk ? Math.round(told.durationSeconds ?? Math.ceil(measured)) : 0;
  const wasAnswered = call.answered_at !== null || duration > 0;
  const answered_at = new Date(at.getTime() - duration * 1_000);
  return {
    ...call,
    ended_at: at,
    answered_at: call.answered_at ?? (wasAnswered ? answered_at : null),
    duration_seconds: duration,
    billed_seconds: billedSeconds(duration, call.rate),
    // What was reserved covers the longest call allowed; a provider that overruns it is not paid for.
    cost: totalOf([call.legs_cost, atMost(callCost(duration, call.rate), ownReserved(call))]),
    hangup_cause: told.cause?.slice(0, 200) ?? null,
    error_code: told.error?.code.slice(0, 100) ?? null,
    error_detail: told.error?.detail.slice(0, 500) ?? null,
  };
}

function ownReserved({ reserved, legs_reserved }: CallRow): string {
  return restOf(reserved, legs_reserved);
}

/** What the call cost without the legs that it dialled. */
export function ownCost({ cost, legs_cost }: CallRow): string | null {
  return cost === null ? null : restOf(cost, legs_cost);
}

/** The call is paid when it is over, and its legs when all of them are too. */
async function pay(desk: Desk, tx: Tx, place: Place, call: CallRow, now: Date): Promise<void> {
  const { environment, tenantId } = place;
  const hold = { environment, reference: call.id };
  const amount = ownCost(call) ?? '0';
  if (amount === '0') {
    await release(tx, tenantId, hold);
  } else {
    const entry = { id: newId('wle', () => now, desk.random), now };
    await settle(tx, tenantId, { ...hold, amount }, entry);
  }
  if (call.legs_open === 0) await payLegs(desk, tx, place, call);
}

/** The call's own list of events, and the customer's webhooks. */
async function tellOf(
  desk: Desk,
  tx: Tx,
  place: Place,
  before: CallRow,
  after: CallRow,
  at: Date,
): Promise<void> {
  if (before.rang_at === null && after.rang_at !== null && after.status === 'ringing') {
    await record(desk, tx, place, after, { kind: 'ringing', once: 'ringing', at, data: {} });
    await announce(desk, tx, place, after, 'call.ringing', at);
  }
  if (before.answered_at === null && after.answered_at !== null) {
    const when = after.answered_at;
    const data = { answered_by: after.answered_by };
    await record(desk, tx, place, after, { kind: 'answered', once: 'answered', at: when, data });
    await announce(desk, tx, place, after, 'call.answered', when);
  }
  if (isFinal(after.status) && !isFinal(before.status)) {
    const { status, hangup_cause, duration_seconds } = after;
    const data = { status, cause: hangup_cause, duration_seconds };
    await record(desk, tx, place, after, { kind: 'hangup', once: 'hangup', at, data });
    const isTalk = status === 'completed' || status === 'machine';
    await announce(desk, tx, place, after, isTalk ? 'call.completed' : 'call.failed', at);
  }
}

/** Adds to the call's list of events; false when the same was told before. */
export function record(
  { clock, random }: Desk,
  tx: Tx,
  place: Place,
  call: Pick<CallRow, 'id'>,
  event: {
    readonly kind: CallEventKind;
    readonly once: string;
    readonly data: Readonly<Record<string, unknown>>;
    readonly at?: Date;
  },
): Promise<boolean> {
  const { kind, once, data, at = clock() } = event;
  const id = newId('cev', clock, random);
  return insertCallEvent(tx, place, { id, call_id: call.id, kind, once, data, at });
}

/** Sends a webhook about the call, if this transaction commits. */
export async function announce(
  { clock, random }: Desk,
  tx: Tx,
  { tenantId, environment }: Place,
  call: CallRow,
  event: string,
  at: Date,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const data = {
    call_id: call.id,
    status: call.status,
    to: call.to_number,
    from: call.from_number,
    provider_config: call.provider_id,
    template_id: call.template_id,
    duration_seconds: call.duration_seconds,
    cost: call.cost === null ? null : { amount: call.cost, currency: call.currency },
    ...more,
  };
  const payload = { event, id: call.id, timestamp: at.toISOString(), data };
  await addEvents(tx, tenantId, [
    {
      id: newId('evt', clock, random),
      environment,
      service: 'messaging',
      type: event,
      subject_id: call.id,
      payload: JSON.stringify(payload),
      created_at: at,
    },
  ]);
}
