/** What the flow is about to dial is priced and paid for first; whoever cannot be is not dialled. */

import { readEndpoint } from '@drawbridge/messaging/call-flow/endpoint.ts';
import type { CallFlow } from '@drawbridge/messaging/call-flow/flow.ts';
import {
  type Advance,
  type FlowState,
  nextSegment,
} from '@drawbridge/messaging/call-flow/machine.ts';
import type { EndOf, Segment } from '@drawbridge/messaging/call-flow/segment.ts';
import { callCost, largestOf, restOf, totalOf } from '@drawbridge/messaging/call-rate.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { newId } from '../../../platform/ids.ts';
import { record } from '../calls/progress.ts';
import type { CallRow } from '../calls/store.ts';
import type { VoiceDesk } from '../desk.ts';
import type { OpenProvider } from '../providers/account.ts';
import { type KeptRate, mostOf, ratesOf } from '../rates/price.ts';
import { holdMore } from './hold.ts';
import { isRefused, legChannelOf, type Refusal } from './leg.ts';
import { findLegs, insertLegs, type LegRow, updateLegTotals } from './store.ts';

/** A call that has dialled so many dials nobody more: a flow may go round and round. */
const legsMax = 100;

/** What the call does next. */
export interface Next {
  readonly call: CallRow;
  readonly segment: Segment;
  readonly state: FlowState;
}

/**
 * The segment as it may be played: its dial without those that nothing prices or the wallet cannot
 * pay, and as failed when nobody is left. The call's row must be locked. Undefined when refused.
 */
export async function goOn(
  desk: VoiceDesk,
  tx: Tx,
  open: OpenProvider,
  call: CallRow,
  flow: CallFlow,
  begun: Advance,
): Promise<Next | undefined> {
  const said: Segment['steps'][number][] = [];
  let now = call;
  // Each turn is a document of the call, and those are bounded by the flow.
  for (let advance = begun; advance.kind === 'segment'; ) {
    const { segment, state } = advance;
    const { end } = segment;
    const whole = { ...segment, steps: [...said, ...segment.steps] };
    if (end.kind !== 'dial') return { call: now, segment: whole, state };
    const dialed = await dial(desk, tx, open, now, end, state.documents);
    now = dialed.call;
    const { to } = dialed;
    if (to.length > 0) return { call: now, segment: { ...whole, end: { ...end, to } }, state };
    said.push(...segment.steps);
    advance = nextSegment(flow, state, { kind: 'dialed', node: end.node, result: 'failed' });
  }
  return undefined;
}

/** The segment that another node had begun: whoever it dials was dialled then. */
export async function takeUp(
  tx: Tx,
  { place }: OpenProvider,
  call: CallRow,
  segment: Segment,
  document: number,
): Promise<Segment | undefined> {
  const { end } = segment;
  if (end.kind !== 'dial') return segment;
  const legs = (await findLegs(tx, place, call.id)).filter((leg) => leg.document === document);
  const to = legs.filter((leg) => !isRefused(leg)).map(({ to_address }) => to_address);
  return to.length === 0 ? undefined : { ...segment, end: { ...end, to } };
}

interface Party {
  readonly to: string;
  readonly rate: KeptRate | null;
  readonly refusal: Refusal | null;
}

async function dial(
  desk: VoiceDesk,
  tx: Tx,
  open: OpenProvider,
  call: CallRow,
  end: EndOf<'dial'>,
  document: number,
): Promise<{ readonly call: CallRow; readonly to: readonly string[] }> {
  const { place } = open;
  const now = desk.clock();
  const before = await findLegs(tx, place, call.id);
  if (before.length >= legsMax) return { call, to: [] };
  const priced = await partiesOf(tx, open, call, end.to, now);
  const missing = missingFor(call, before, priced, end.limitSeconds, now);
  const isPaid = missing === '0' || (await holdMore(desk, tx, place, call, missing));
  const parties = isPaid ? priced : priced.map(unpaid);
  const ringing = parties.filter(({ refusal }) => refusal === null);
  const legs = parties.map((party, at): LegRow => {
    const isNamed = open.provider.kind === 'trunk' && party.refusal === null;
    const channel = legChannelOf(call.id, document, ringing.indexOf(party));
    return {
      id: newId('leg', () => now, desk.random),
      ...{ call_id: call.id, number: 2 + before.length + at, document, node: end.node },
      ...{ to_address: party.to, provider_leg_id: isNamed ? channel : null },
      ...{ rate: party.rate, started_at: now, answered_at: null },
      ...fateOf(party.refusal, now),
    };
  });
  await insertLegs(tx, place, legs);
  for (const leg of legs.filter(({ ended_at }) => ended_at !== null)) {
    const { number, node, to_address: to, status, cause } = leg;
    const data = { document, node, leg: number, to, status, cause };
    await record(desk, tx, place, call, { kind: 'leg', once: `leg/${number}/refused`, data });
  }
  const more = isPaid ? missing : '0';
  const after = {
    ...call,
    reserved: totalOf([call.reserved, more]),
    legs_reserved: totalOf([call.legs_reserved, more]),
    legs_open: call.legs_open + ringing.length,
  };
  await updateLegTotals(tx, place, after);
  return { call: after, to: ringing.map(({ to }) => to) };
}

type Fate = Pick<
  LegRow,
  'status' | 'cause' | 'ended_at' | 'duration_seconds' | 'billed_seconds' | 'cost'
>;

function fateOf(refusal: Refusal | null, now: Date): Fate {
  return refusal === null
    ? {
        ...{ status: 'queued', cause: null, ended_at: null },
        ...{ duration_seconds: null, billed_seconds: null, cost: null },
      }
    : {
        ...{ status: 'failed', cause: refusal, ended_at: now },
        ...{ duration_seconds: 0, billed_seconds: 0, cost: '0' },
      };
}

/** A SIP address is no number that a rate card could price: it costs nothing. */
async function partiesOf(
  tx: Tx,
  { place }: OpenProvider,
  { currency }: CallRow,
  to: readonly string[],
  now: Date,
): Promise<readonly Party[]> {
  const endpoints = to.map((each) => ({ to: each, endpoint: readEndpoint(each) }));
  const numbers = endpoints.flatMap(({ endpoint }) =>
    endpoint?.kind === 'number' ? [endpoint.e164] : [],
  );
  const rates = numbers.length === 0 ? new Map() : await ratesOf(tx, place, numbers, currency, now);
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
 * How much the promise lacks to cover the longest conversation with the dearest of them (who ring
 * together, one is connected), and what is not told yet of those dialled before.
 */
function missingFor(
  call: CallRow,
  before: readonly LegRow[],
  parties: readonly Party[],
  limitSeconds: number,
  now: Date,
): string {
  const secondsSince = (at: Date) => Math.ceil((now.getTime() - at.getTime()) / 1_000);
  const left = call.limit_seconds - secondsSince(call.answered_at ?? now);
  const longest = Math.max(1, Math.min(limitSeconds, left));
  const most = largestOf(parties.map(({ rate }) => (rate === null ? '0' : mostOf(longest, rate))));
  const untold = before.flatMap(({ ended_at, rate, started_at }) =>
    ended_at === null && rate !== null ? [callCost(secondsSince(started_at), rate)] : [],
  );
  return restOf(totalOf([call.legs_cost, most, ...untold]), call.legs_reserved);
}
