/** `applyCallUpdate` is the only place that changes a call's row after a report about it. */

import {
  atMost,
  billedSeconds,
  callCost,
  remainderOf,
  totalOf,
} from '@drawbridge/messaging/call-rate.ts';
import { type CallStatus, isFinal, statusAfter } from '@drawbridge/messaging/call-status.ts';
import type { AnsweredBy } from '../../../channels/voice-contract.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { newId } from '../../../platform/ids.ts';
import { addEvents } from '../../../webhooks/store.ts';
import { eventOf } from '../../messages/events.ts';
import { release, settle } from '../../tenants/wallet/store.ts';
import type { EventData, MessagingEvent } from '../../webhook-payloads.ts';
import type { CallingContext, CallTransaction } from '../context.ts';
import { endUnreported } from '../legs/leg-state.ts';
import { payLate, payLegs } from '../legs/payment.ts';
import { type CallEventKind, type CallRow, insertCallEvent, updateCall } from './store.ts';

/** A report about a call, from a provider, a PBX or ourselves. */
export interface CallUpdate {
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

type Context = Pick<CallingContext, 'clock' | 'random' | 'callEnded'>;

/** Applies an update and returns the call after it; the call's row must be locked. */
export async function applyCallUpdate(
  context: Context,
  tx: Tx,
  scope: TenantScope,
  call: CallRow,
  update: CallUpdate,
): Promise<CallRow> {
  const now = context.clock();
  if (isLongerThanAssumed(call, update)) {
    return correctDuration({ context, tx, scope, call }, update, now);
  }
  const at = clampInstant(update.at ?? now, call, now);
  const after = withEnd(call, mergeUpdate(call, update, at), update, at);
  if (hasChanged(call, after)) await updateCall(tx, scope, call.id, after);
  await addEventsOf(context, tx, scope, { before: call, after }, at);
  if (isFinal(after.status) && !isFinal(call.status)) {
    await payCall(context, tx, scope, after, now);
    await context.callEnded?.(tx, scope, after);
  }
  return after;
}

/** Whether the end of the call was assumed, and a longer conversation is reported now. */
function isLongerThanAssumed(call: CallRow, { status, durationSeconds = 0 }: CallUpdate): boolean {
  const isAssumed = isFinal(call.status) && call.hangup_cause === endUnreported;
  const isTalk = call.answered_at !== null && status === 'completed';
  return isAssumed && isTalk && Math.round(durationSeconds) > (call.duration_seconds ?? 0);
}

/** The rest is charged if the wallet has enough available; else the host bears it. */
async function correctDuration(
  { context, tx, scope, call }: CallTransaction<Context>,
  { durationSeconds = 0, cause }: CallUpdate,
  now: Date,
): Promise<CallRow> {
  const seconds = Math.round(durationSeconds);
  const wanted = atMost(callCost(seconds, call.rate), ownReserved(call));
  const amount = remainderOf(wanted, ownCost(call) ?? '0');
  const isPaid = await payLate(context, tx, scope, { reference: `${call.id}/late`, amount });
  const endsAt = new Date(call.answered_at!.getTime() + seconds * 1_000);
  const after: CallRow = {
    ...call,
    ended_at: endsAt > now ? now : endsAt,
    duration_seconds: seconds,
    billed_seconds: billedSeconds(seconds, call.rate),
    cost: isPaid ? totalOf([call.legs_cost, wanted]) : call.cost,
    hangup_cause: cause?.slice(0, 200) ?? null,
  };
  await updateCall(tx, scope, call.id, after);
  if (after.cost !== call.cost) {
    await addCallWebhook({ context, tx, scope, call: after }, 'call.cost_changed', now, {
      leg: null,
    });
  }
  return after;
}

/** Providers repeat many reports, and send some that change nothing. */
function hasChanged(before: CallRow, after: CallRow): boolean {
  return (Object.keys(after) as (keyof CallRow)[]).some((name) => before[name] !== after[name]);
}

/**
 * A provider's clock may be wrong: no event is later than now, or earlier than the previous one.
 */
function clampInstant(at: Date, call: CallRow, now: Date): Date {
  const before = call.answered_at ?? call.rang_at ?? call.created_at;
  return at > now ? now : at < before ? before : at;
}

function mergeUpdate(call: CallRow, update: CallUpdate, at: Date): CallRow {
  const answered_by = call.answered_by ?? update.answeredBy ?? null;
  const status = statusAfter(call.status, update.status, answered_by ?? undefined);
  const isTold = (what: CallStatus) => update.status === what && !isFinal(call.status);
  return {
    ...call,
    status,
    answered_by,
    intent: update.intent ?? call.intent,
    request_id: update.requestId ?? call.request_id,
    provider_call_id: call.provider_call_id ?? update.callId ?? null,
    rang_at: call.rang_at ?? (isTold('ringing') ? at : null),
    answered_at: call.answered_at ?? (isTold('in_progress') ? at : null),
  };
}

function withEnd(before: CallRow, call: CallRow, update: CallUpdate, at: Date): CallRow {
  if (!isFinal(call.status) || isFinal(before.status)) return call;
  const measured =
    call.answered_at === null ? 0 : Math.max(0, at.getTime() - call.answered_at.getTime()) / 1_000;
  const isTalk =
    call.answered_at !== null || call.status === 'completed' || call.status === 'machine';
  // A started second counts in full.
  const duration = isTalk ? Math.round(update.durationSeconds ?? Math.ceil(measured)) : 0;
  const wasAnswered = call.answered_at !== null || duration > 0;
  const answered_at = new Date(at.getTime() - duration * 1_000);
  return {
    ...call,
    ended_at: at,
    answered_at: call.answered_at ?? (wasAnswered ? answered_at : null),
    duration_seconds: duration,
    billed_seconds: billedSeconds(duration, call.rate),
    // The hold covers the longest call allowed; a provider that exceeds it is not paid for the
    // rest.
    cost: totalOf([call.legs_cost, atMost(callCost(duration, call.rate), ownReserved(call))]),
    hangup_cause: update.cause?.slice(0, 200) ?? null,
    error_code: update.error?.code.slice(0, 100) ?? null,
    error_detail: update.error?.detail.slice(0, 500) ?? null,
  };
}

function ownReserved({ reserved, legs_reserved }: CallRow): string {
  return remainderOf(reserved, legs_reserved);
}

/** The price of the call without the legs that it dialled. */
export function ownCost({ cost, legs_cost }: CallRow): string | null {
  return cost === null ? null : remainderOf(cost, legs_cost);
}

/** Charges an ended call, and its legs if all of them have ended too. */
async function payCall(
  context: Context,
  tx: Tx,
  scope: TenantScope,
  call: CallRow,
  now: Date,
): Promise<void> {
  const { environment, tenantId } = scope;
  const hold = { environment, reference: call.id };
  const amount = ownCost(call) ?? '0';
  if (amount === '0') {
    await release(tx, tenantId, hold);
  } else {
    const entry = { id: newId('wle', () => now, context.random), now };
    await settle(tx, tenantId, { ...hold, amount }, entry);
  }
  if (call.legs_open === 0) await payLegs(context, tx, scope, call);
}

/** Adds the changes to the call's list of events and to the customer's webhooks. */
async function addEventsOf(
  context: Context,
  tx: Tx,
  scope: TenantScope,
  { before, after }: { readonly before: CallRow; readonly after: CallRow },
  at: Date,
): Promise<void> {
  if (before.rang_at === null && after.rang_at !== null && after.status === 'ringing') {
    await addCallEvent(context, tx, scope, after, {
      kind: 'ringing',
      once: 'ringing',
      at,
      data: {},
    });
    await addCallWebhook({ context, tx, scope, call: after }, 'call.ringing', at);
  }
  if (before.answered_at === null && after.answered_at !== null) {
    const when = after.answered_at;
    const data = { answered_by: after.answered_by };
    await addCallEvent(context, tx, scope, after, {
      kind: 'answered',
      once: 'answered',
      at: when,
      data,
    });
    await addCallWebhook({ context, tx, scope, call: after }, 'call.answered', when);
  }
  if (isFinal(after.status) && !isFinal(before.status)) {
    const { status, hangup_cause, duration_seconds } = after;
    const data = { status, cause: hangup_cause, duration_seconds };
    await addCallEvent(context, tx, scope, after, { kind: 'hangup', once: 'hangup', at, data });
    const isTalk = status === 'completed' || status === 'machine';
    await addCallWebhook(
      { context, tx, scope, call: after },
      isTalk ? 'call.completed' : 'call.failed',
      at,
    );
  }
}

/** Adds to the call's list of events; false when the same event was reported before. */
export function addCallEvent(
  { clock, random }: Context,
  tx: Tx,
  scope: TenantScope,
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
  return insertCallEvent(tx, scope, { id, call_id: call.id, kind, once, data, at });
}

type CallEvent = Extract<MessagingEvent, `call.${string}` | 'recording.ready'>;

/** What an event of a call tells beside what all of them do. */
type MoreOf<Event extends CallEvent> =
  keyof EventData<Event> extends keyof EventData<'call.ringing'>
    ? []
    : [Omit<EventData<Event>, keyof EventData<'call.ringing'>>];

/** Sends a webhook about the call once this transaction commits. */
export async function addCallWebhook<Event extends CallEvent>(
  {
    context: { clock, random },
    tx,
    scope: { tenantId, environment },
    call,
  }: CallTransaction<Context>,
  event: Event,
  at: Date,
  ...more: MoreOf<Event>
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
    ...more[0],
  };
  // What all calls tell and what this event adds are together what it tells.
  const told = data as EventData<Event>;
  const made = eventOf({ environment }, event, call.id, told, at, random);
  // Events go out in the order of their ids: that in which we learn of them, as providers tell the
  // time by the second.
  await addEvents(tx, tenantId, [{ ...made, id: newId('evt', clock, random) }]);
}
