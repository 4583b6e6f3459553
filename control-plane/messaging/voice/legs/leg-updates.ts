/** The only place where a report about a leg changes its row, its call's totals and the wallet. */
import type { DialResult } from '@drawbridge/messaging/call-flow/machine.ts';
import { atMost, remainderOf, totalOf } from '@drawbridge/messaging/call-rate.ts';
import { isFinal } from '@drawbridge/messaging/call-status.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { addCallEvent, addCallWebhook } from '../calls/call-updates.ts';
import type { CallRow } from '../calls/store.ts';
import type { CallingContext, CallTransaction } from '../context.ts';
import {
  closeUnreported,
  endUnreported,
  findReportedLeg,
  type LegUpdate,
  withLegUpdate,
} from './leg-state.ts';
import { payLate, payLegs } from './payment.ts';
import { findLegs, type LegRow, updateLeg, updateLegTotals } from './store.ts';

/** A report later than this after the call's end is ignored. */
const lateMs = 24 * 3_600_000;
/** The most characters of a provider's id; real ones have about forty. */
const idMax = 200;

/**
 * Applies a report about a leg, and settles the leg at its end; `document` is the one that dialled
 * it, if known. Returns the call after it; the call's row must be locked.
 */
export async function applyLegUpdate(
  { context, tx, scope, call }: CallTransaction,
  report: LegUpdate,
  document?: number,
): Promise<CallRow> {
  const { legId, ...rest } = report;
  const update = legId === undefined ? rest : { ...rest, legId: legId.slice(0, idMax) };
  const now = context.clock();
  if (call.ended_at !== null && now.getTime() - call.ended_at.getTime() > lateMs) return call;
  const leg = findReportedLeg(await findLegs(tx, scope, call.id), update, document);
  if (leg === undefined) {
    context.log.info({ callId: call.id, document }, 'a leg report matches no leg of the call');
    return call;
  }
  await addLegEvent({ context, tx, scope, call }, leg, update);
  const at = clampInstant(update.at ?? now, leg, now);
  return saveLeg({ context, tx, scope, call }, leg, withLegUpdate(leg, update, at));
}

/**
 * A provider's clock may be wrong: no event is later than now, or earlier than the previous one.
 */
function clampInstant(at: Date, { answered_at, started_at }: LegRow, now: Date): Date {
  const before = answered_at ?? started_at;
  return at > now ? now : at < before ? before : at;
}

/**
 * Ends the legs of a document's dial. A leg without an answer by now counts as unanswered; if an
 * answer is reported later it is still charged. Also returns the leg that was connected.
 */
export async function endDial(
  { context, tx, scope, call }: CallTransaction,
  document: number,
  result: DialResult,
): Promise<{ readonly call: CallRow; readonly leg: LegRow | undefined }> {
  const legs = (await findLegs(tx, scope, call.id)).filter((leg) => leg.document === document);
  const answered = legs.find(({ answered_at }) => answered_at !== null);
  // A leg was answered, but it is not reported yet which one: a look-up finds that.
  const isUntold = result === 'answered' && answered === undefined;
  const status = result === 'answered' ? 'canceled' : result;
  let now = call;
  for (const leg of legs) {
    if (isUntold || leg.ended_at !== null || leg.answered_at !== null) continue;
    const after = withLegUpdate(leg, { status }, context.clock());
    now = await saveLeg({ context, tx, scope, call: now }, leg, after);
  }
  return { call: now, leg: answered ?? legs.at(-1) };
}

/** Ends the legs of a document that the PBX no longer has. Returns the call after it. */
export async function endUnreportedLegs(
  context: CallingContext,
  tx: Tx,
  scope: TenantScope,
  call: CallRow,
  document: number,
): Promise<CallRow> {
  let now = call;
  for (const leg of await findLegs(tx, scope, call.id)) {
    if (leg.document !== document || leg.ended_at !== null) continue;
    const after = withLegUpdate(
      leg,
      { status: 'completed', cause: endUnreported },
      context.clock(),
    );
    now = await saveLeg({ context, tx, scope, call: now }, leg, after);
  }
  return now;
}

/**
 * Ends the open legs for which `isLost` is true: their end was not reported, and no look-up can
 * find it.
 */
export async function closeUnreportedLegs(
  context: CallingContext,
  tx: Tx,
  scope: TenantScope,
  call: CallRow,
  isLost: (leg: LegRow) => boolean,
): Promise<void> {
  let now = call;
  for (const leg of await findLegs(tx, scope, call.id)) {
    if (leg.ended_at !== null || !isLost(leg)) continue;
    now = await saveLeg(
      { context, tx, scope, call: now },
      leg,
      closeUnreported(leg, call.ended_at ?? context.clock()),
    );
  }
}

async function saveLeg(
  { context, tx, scope, call }: CallTransaction,
  before: LegRow,
  after: LegRow,
): Promise<CallRow> {
  if (after.ended_at === null || after.ended_at === before.ended_at) {
    if (hasChanged(before, after)) await updateLeg(tx, scope, after);
    return call;
  }
  const isOver = isFinal(call.status);
  const isPaid = isOver && call.legs_open === 0;
  // An assumed end may have cost something already.
  const known = before.cost ?? '0';
  const rest = { id: after.id, cost: remainderOf(after.cost ?? '0', known) };
  const cost = await chargeableCost({ context, tx, scope, call }, rest, isPaid);
  await updateLeg(tx, scope, { ...after, cost: totalOf([known, cost]) });
  const now: CallRow = {
    ...call,
    legs_cost: totalOf([call.legs_cost, cost]),
    legs_open: call.legs_open - (before.ended_at === null ? 1 : 0),
    cost: call.cost === null ? null : totalOf([call.cost, cost]),
  };
  await updateLegTotals(tx, scope, now);
  if (isOver && !isPaid && now.legs_open === 0) await payLegs(context, tx, scope, now);
  if (now.cost !== call.cost) {
    await addCallWebhook({ context, tx, scope, call: now }, 'call.cost_changed', context.clock(), {
      leg: after.number,
    });
  }
  return now;
}

/**
 * The part of the cost that the hold covers, or later the wallet's balance; the host bears the
 * rest.
 */
async function chargeableCost(
  { context, tx, scope, call: { legs_reserved, legs_cost } }: CallTransaction,
  { id, cost: wanted }: { readonly id: string; readonly cost: string },
  isPaid: boolean,
): Promise<string> {
  if (!isPaid) return atMost(wanted, remainderOf(legs_reserved, legs_cost));
  return (await payLate(context, tx, scope, { reference: id, amount: wanted })) ? wanted : '0';
}

function hasChanged(before: LegRow, after: LegRow): boolean {
  return (Object.keys(after) as (keyof LegRow)[]).some((name) => before[name] !== after[name]);
}

async function addLegEvent(
  { context, tx, scope, call }: CallTransaction,
  { number, document, node, to_address: to }: LegRow,
  { legId, status, durationSeconds }: LegUpdate,
): Promise<void> {
  const reported = { status, to, duration_seconds: durationSeconds };
  const data = { document, node, leg: number, leg_id: legId, ...reported };
  await addCallEvent(context, tx, scope, call, {
    kind: 'leg',
    once: `leg/${number}/${status}`,
    data,
  });
}
