/** What is told of a leg changes its row, its call's sums and the wallet here and nowhere else. */
import type { DialResult } from '@drawbridge/messaging/call-flow/machine.ts';
import { atMost, restOf, totalOf } from '@drawbridge/messaging/call-rate.ts';
import { isFinal } from '@drawbridge/messaging/call-status.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { Place } from '../../contacts/store.ts';
import { announce, record } from '../calls/progress.ts';
import type { CallRow } from '../calls/store.ts';
import type { VoiceDesk } from '../desk.ts';
import { payLate, payLegs } from './hold.ts';
import { endNotHeard, givenUp, type LegTold, legAfter, legOf } from './leg.ts';
import { findLegs, type LegRow, updateLeg, updateLegTotals } from './store.ts';

/** What is told of a leg later than this after its call's end is not paid any more. */
const lateMs = 24 * 3_600_000;
/** Of a provider's id; theirs have some forty. */
const idMax = 200;

/**
 * Writes down what was told of a leg, and settles it when that is its end; `document` is the one that
 * dialled it, where known. Answers the call as it is after that; its row must be locked.
 */
export async function hearLeg(
  desk: VoiceDesk,
  tx: Tx,
  place: Place,
  call: CallRow,
  report: LegTold,
  document?: number,
): Promise<CallRow> {
  const { legId, ...rest } = report;
  const told = legId === undefined ? rest : { ...rest, legId: legId.slice(0, idMax) };
  const now = desk.clock();
  if (call.ended_at !== null && now.getTime() - call.ended_at.getTime() > lateMs) return call;
  const leg = legOf(await findLegs(tx, place, call.id), told, document);
  if (leg === undefined) {
    desk.log.info({ callId: call.id, document }, 'a leg was told of that nobody dialled');
    return call;
  }
  await recordTold(desk, tx, place, call, leg, told);
  const at = within(told.at ?? now, leg, now);
  return write(desk, tx, place, call, leg, legAfter(leg, told, at));
}

/** A provider's clock may be off: nothing happens later than now, or before what came before it. */
function within(at: Date, { answered_at, started_at }: LegRow, now: Date): Date {
  const before = answered_at ?? started_at;
  return at > now ? now : at < before ? before : at;
}

/**
 * The dialling of a document has ended: who was not answered by now is supposed not to be, and whoever
 * is told to have been after all is paid all the same. Answers the leg it came to as well.
 */
export async function dialOver(
  desk: VoiceDesk,
  tx: Tx,
  place: Place,
  call: CallRow,
  document: number,
  result: DialResult,
): Promise<{ readonly call: CallRow; readonly leg: LegRow | undefined }> {
  const legs = (await findLegs(tx, place, call.id)).filter((leg) => leg.document === document);
  const answered = legs.find(({ answered_at }) => answered_at !== null);
  // Somebody was answered, and nobody told yet who: that is found out.
  const isUntold = result === 'answered' && answered === undefined;
  const status = result === 'answered' ? 'canceled' : result;
  let now = call;
  for (const leg of legs) {
    if (isUntold || leg.ended_at !== null || leg.answered_at !== null) continue;
    const after = legAfter(leg, { status }, desk.clock());
    now = await write(desk, tx, place, now, leg, after);
  }
  return { call: now, leg: answered ?? legs.at(-1) };
}

/** The legs of a document are gone, as the PBX says. Answers the call as it is after that. */
export async function endUnheard(
  desk: VoiceDesk,
  tx: Tx,
  place: Place,
  call: CallRow,
  document: number,
): Promise<CallRow> {
  let now = call;
  for (const leg of await findLegs(tx, place, call.id)) {
    if (leg.document !== document || leg.ended_at !== null) continue;
    const after = legAfter(leg, { status: 'completed', cause: endNotHeard }, desk.clock());
    now = await write(desk, tx, place, now, leg, after);
  }
  return now;
}

/** Nobody told the end of open legs that are `isLost`, and nobody is asked any more. */
export async function giveUpLegs(
  desk: VoiceDesk,
  tx: Tx,
  place: Place,
  call: CallRow,
  isLost: (leg: LegRow) => boolean,
): Promise<void> {
  let now = call;
  for (const leg of await findLegs(tx, place, call.id)) {
    if (leg.ended_at !== null || !isLost(leg)) continue;
    now = await write(desk, tx, place, now, leg, givenUp(leg, call.ended_at ?? desk.clock()));
  }
}

async function write(
  desk: VoiceDesk,
  tx: Tx,
  place: Place,
  call: CallRow,
  before: LegRow,
  after: LegRow,
): Promise<CallRow> {
  if (after.ended_at === null || after.ended_at === before.ended_at) {
    if (hasChanged(before, after)) await updateLeg(tx, place, after);
    return call;
  }
  const isOver = isFinal(call.status);
  const isPaid = isOver && call.legs_open === 0;
  const cost = await affordable(desk, tx, place, call, after, isPaid);
  await updateLeg(tx, place, { ...after, cost });
  const now: CallRow = {
    ...call,
    legs_cost: totalOf([call.legs_cost, cost]),
    legs_open: call.legs_open - (before.ended_at === null ? 1 : 0),
    cost: call.cost === null ? null : totalOf([call.cost, cost]),
  };
  await updateLegTotals(tx, place, now);
  if (isOver && !isPaid && now.legs_open === 0) await payLegs(desk, tx, place, now);
  if (now.cost !== call.cost) {
    await announce(desk, tx, place, now, 'call.cost_changed', desk.clock(), { leg: after.number });
  }
  return now;
}

/** What was promised covers it; once that is settled, what the wallet has free. The host bears more. */
async function affordable(
  desk: VoiceDesk,
  tx: Tx,
  place: Place,
  { legs_reserved, legs_cost }: CallRow,
  { id, cost }: LegRow,
  isPaid: boolean,
): Promise<string> {
  const wanted = cost ?? '0';
  if (!isPaid) return atMost(wanted, restOf(legs_reserved, legs_cost));
  return (await payLate(desk, tx, place, { id, cost: wanted })) ? wanted : '0';
}

function hasChanged(before: LegRow, after: LegRow): boolean {
  return (Object.keys(after) as (keyof LegRow)[]).some((name) => before[name] !== after[name]);
}

async function recordTold(
  desk: VoiceDesk,
  tx: Tx,
  place: Place,
  call: CallRow,
  { number, document, node, to_address: to }: LegRow,
  { legId, status, durationSeconds }: LegTold,
): Promise<void> {
  const told = { status, to, duration_seconds: durationSeconds };
  const data = { document, node, leg: number, leg_id: legId, ...told };
  await record(desk, tx, place, call, { kind: 'leg', once: `leg/${number}/${status}`, data });
}
