/**
 * Prices and reserves each dial before it happens; numbers without a rate or funds are not dialled.
 */

import { readEndpoint } from '@drawbridge/messaging/call-flow/endpoint.ts';
import type { CallFlow } from '@drawbridge/messaging/call-flow/flow.ts';
import {
  type Advance,
  type FlowState,
  nextSegment,
} from '@drawbridge/messaging/call-flow/machine.ts';
import type { EndOf, Segment } from '@drawbridge/messaging/call-flow/segment.ts';
import { callCost, largestOf, remainderOf, totalOf } from '@drawbridge/messaging/call-rate.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { newId } from '../../../platform/ids.ts';
import { addCallEvent } from '../calls/call-updates.ts';
import type { CallRow } from '../calls/store.ts';
import type { OpenCall, OpenProvider } from '../providers/account.ts';
import { type CallRateTerms, maxCost, ratesOf } from '../rates/price.ts';
import { isRefused, legChannelOf, type Refusal } from './leg-state.ts';
import { reserveMore } from './payment.ts';
import { findLegs, insertLegs, type LegRow, updateLegTotals } from './store.ts';

/** The most legs of one call, because a flow may loop. */
const legsMax = 100;

/** What the call does next. */
export interface NextSegment {
  readonly call: CallRow;
  readonly segment: Segment;
  readonly state: FlowState;
}

/**
 * The next segment that may be played: its dial without numbers that have no rate or that the wallet
 * cannot pay. When no number is left the dial counts as failed and the flow goes on. The call's row
 * must be locked. Undefined when the flow refuses the event.
 */
export async function nextAffordableSegment(
  { context, tx, open, call }: OpenCall,
  flow: CallFlow,
  begun: Advance,
): Promise<NextSegment | undefined> {
  const said: Segment['steps'][number][] = [];
  let now = call;
  // Each round is a document of the call, and the flow limits their number.
  for (let advance = begun; advance.kind === 'segment'; ) {
    const { segment, state } = advance;
    const { end } = segment;
    const whole = { ...segment, steps: [...said, ...segment.steps] };
    if (end.kind !== 'dial') return { call: now, segment: whole, state };
    const dialed = await reserveDial({ context, tx, open, call: now }, end, state.documents);
    now = dialed.call;
    const { to } = dialed;
    if (to.length > 0) return { call: now, segment: { ...whole, end: { ...end, to } }, state };
    said.push(...segment.steps);
    advance = nextSegment(flow, state, { kind: 'dialed', node: end.node, result: 'failed' });
  }
  return undefined;
}

/** A segment that another node began: its dial keeps only the legs that were dialled then. */
export async function resumeSegment(
  tx: Tx,
  { scope }: OpenProvider,
  call: CallRow,
  segment: Segment,
  document: number,
): Promise<Segment | undefined> {
  const { end } = segment;
  if (end.kind !== 'dial') return segment;
  const legs = (await findLegs(tx, scope, call.id)).filter((leg) => leg.document === document);
  const to = legs.filter((leg) => !isRefused(leg)).map(({ to_address }) => to_address);
  return to.length === 0 ? undefined : { ...segment, end: { ...end, to } };
}

interface Party {
  readonly to: string;
  readonly rate: CallRateTerms | null;
  readonly refusal: Refusal | null;
}

async function reserveDial(
  { context, tx, open, call }: OpenCall,
  end: EndOf<'dial'>,
  document: number,
): Promise<{ readonly call: CallRow; readonly to: readonly string[] }> {
  const { scope } = open;
  const now = context.clock();
  const before = await findLegs(tx, scope, call.id);
  if (before.length >= legsMax) return { call, to: [] };
  const priced = await priceParties(tx, open, call, end.to, now);
  const missing = missingReservation(call, before, priced, end.limitSeconds, now);
  const isPaid = missing === '0' || (await reserveMore(context, tx, scope, call, missing));
  const parties = isPaid ? priced : priced.map(unpaid);
  const ringing = parties.filter(({ refusal }) => refusal === null);
  const legs = parties.map((party, at): LegRow => {
    const isNamed = open.provider.kind === 'trunk' && party.refusal === null;
    const channel = legChannelOf(call.id, document, ringing.indexOf(party));
    return {
      id: newId('leg', () => now, context.random),
      call_id: call.id,
      number: 2 + before.length + at,
      document,
      node: end.node,
      to_address: party.to,
      provider_leg_id: isNamed ? channel : null,
      rate: party.rate,
      started_at: now,
      answered_at: null,
      ...outcomeOf(party.refusal, now),
    };
  });
  await insertLegs(tx, scope, legs);
  for (const leg of legs.filter(({ ended_at }) => ended_at !== null)) {
    const { number, node, to_address: to, status, cause } = leg;
    const data = { document, node, leg: number, to, status, cause };
    await addCallEvent(context, tx, scope, call, {
      kind: 'leg',
      once: `leg/${number}/refused`,
      data,
    });
  }
  const more = isPaid ? missing : '0';
  const after = {
    ...call,
    reserved: totalOf([call.reserved, more]),
    legs_reserved: totalOf([call.legs_reserved, more]),
    legs_open: call.legs_open + ringing.length,
  };
  await updateLegTotals(tx, scope, after);
  return { call: after, to: ringing.map(({ to }) => to) };
}

type LegOutcome = Pick<
  LegRow,
  'status' | 'cause' | 'ended_at' | 'duration_seconds' | 'billed_seconds' | 'cost'
>;

function outcomeOf(refusal: Refusal | null, now: Date): LegOutcome {
  return refusal === null
    ? {
        status: 'queued',
        cause: null,
        ended_at: null,
        duration_seconds: null,
        billed_seconds: null,
        cost: null,
      }
    : {
        status: 'failed',
        cause: refusal,
        ended_at: now,
        duration_seconds: 0,
        billed_seconds: 0,
        cost: '0',
      };
}

/** Rate cards price numbers only, so a SIP address costs nothing. */
async function priceParties(
  tx: Tx,
  { scope }: OpenProvider,
  { currency }: CallRow,
  to: readonly string[],
  now: Date,
): Promise<readonly Party[]> {
  const endpoints = to.map((each) => ({ to: each, endpoint: readEndpoint(each) }));
  const numbers = endpoints.flatMap(({ endpoint }) =>
    endpoint?.kind === 'number' ? [endpoint.e164] : [],
  );
  const rates = numbers.length === 0 ? new Map() : await ratesOf(tx, scope, numbers, currency, now);
  return endpoints.map(({ to: each, endpoint }): Party => {
    if (endpoint?.kind !== 'number') return { to: each, rate: null, refusal: null };
    const rate = rates.get(endpoint.e164) ?? null;
    return { to: each, rate, refusal: rate === null ? 'no_rate' : null };
  });
}

function unpaid(party: Party): Party {
  return party.rate === null ? party : { ...party, refusal: 'insufficient_funds' };
}

/**
 * The amount to reserve in addition: the longest conversation with the most expensive party (only
 * one is connected), and the earlier legs whose end is not reported yet.
 */
function missingReservation(
  call: CallRow,
  before: readonly LegRow[],
  parties: readonly Party[],
  limitSeconds: number,
  now: Date,
): string {
  const secondsSince = (at: Date) => Math.ceil((now.getTime() - at.getTime()) / 1_000);
  const left = call.limit_seconds - secondsSince(call.answered_at ?? now);
  const longest = Math.max(1, Math.min(limitSeconds, left));
  const most = largestOf(parties.map(({ rate }) => (rate === null ? '0' : maxCost(longest, rate))));
  const untold = before.flatMap(({ ended_at, rate, started_at }) =>
    ended_at === null && rate !== null ? [callCost(secondsSince(started_at), rate)] : [],
  );
  return remainderOf(totalOf([call.legs_cost, most, ...untold]), call.legs_reserved);
}
