/**
 * Calls are ordered: those of a tenant that come together share a transaction, in which what they
 * may cost is reserved and the jobs that place them are put in.
 */
import { destinationsOf } from '@drawbridge/messaging/call-flow/destinations.ts';
import { restOf, totalOf } from '@drawbridge/messaging/call-rate.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { retryAfter } from '../../../platform/http/retry-after.ts';
import { claimKeys, type KeyedRequest, recallKeys } from '../../../platform/idempotency/claim.ts';
import { idempotencyMismatch, type Made, type Once } from '../../../platform/idempotency/once.ts';
import { newId } from '../../../platform/ids.ts';
import { optedOut } from '../../contacts/consent-store.ts';
import type { Place } from '../../contacts/store.ts';
import { fail } from '../../errors.ts';
import { Gathered } from '../../gathered.ts';
import { shortOfFunds } from '../../tenants/short-of-funds.ts';
import { findWallet, reserveMany, type Share } from '../../tenants/wallet-store.ts';
import type { VoiceDesk } from '../desk.ts';
import { legsHold } from '../legs/hold.ts';
import { providerId } from '../providers/schema.ts';
import { findProviders } from '../providers/store.ts';
import { placeQueue } from '../queues.ts';
import { ratesOf } from '../rates/price.ts';
import { consentsOf } from '../recordings/consent-store.ts';
import { findTemplates } from '../templates/store.ts';
import { callOf, type Known, noProvider, numberAt, type Order } from './order.ts';
import { type CallRow, findCalls, insertCalls, type NewCall } from './store.ts';

/** What the specification grants a tenant and provider, in any second. */
export const ordersPerSecond = { max: 50, windowMs: 1_000 };
const lotMax = 100;

/** Throws what the API answers. */
export type CreateCall = (
  place: Place,
  order: Order,
  once: Once | undefined,
) => Promise<Made<CallRow>>;

export function createCalls(desk: VoiceDesk): CreateCall {
  const orders = new Gathered((lot: readonly Wish[]) => writeLot(desk, lot), lotMax);
  return async (place, order, once) => {
    const to = numberAt('to', order.to);
    await countOrder(desk, place, order.provider_config);
    const at = desk.clock();
    const id = newId('call', () => at, desk.random);
    const { tenantId, environment } = place;
    const wish = { place, id, at, to, order, once };
    const outcome = await orders.put(`${environment} ${tenantId}`, wish);
    if (outcome.kind === 'refused') throw outcome.error;
    return outcome;
  };
}

/** One order, and the id of the call that it would make. */
interface Wish {
  readonly place: Place;
  readonly id: string;
  /** When it was made, as its id says too: lists go by either. */
  readonly at: Date;
  readonly to: string;
  readonly order: Order;
  readonly once: Once | undefined;
}

type Refused = { readonly kind: 'refused'; readonly error: unknown };
type Outcome = ({ readonly kind: 'made' } & Made<CallRow>) | Refused;
/** Where an order goes: to a call, to one that an earlier request made, or nowhere. */
type Verdict =
  | { readonly kind: 'new'; readonly call: NewCall }
  | { readonly kind: 'replay'; readonly id: string }
  | Refused;

function writeLot(desk: VoiceDesk, lot: readonly Wish[]): Promise<readonly Outcome[]> {
  const { place } = lot[0]!;
  const now = desk.clock();
  return desk.db.tenant(place.tenantId, async (tx) => {
    const verdicts = await verdictsOn(tx, place, lot, now);
    const wanted = verdicts.flatMap((each) => (each.kind === 'new' ? [each.call] : []));
    const replayed = verdicts.flatMap((each) => (each.kind === 'replay' ? [each.id] : []));
    const made = wanted.length === 0 ? [] : await writeCalls(tx, desk, place, wanted, now);
    const found = replayed.length === 0 ? [] : await findCalls(tx, place, replayed);
    const rows = new Map([...made, ...found].map((row) => [row.id, row]));
    return verdicts.map((each): Outcome => {
      if (each.kind === 'refused') return each;
      const isReplay = each.kind === 'replay';
      const row = rows.get(isReplay ? each.id : each.call.id);
      if (row === undefined) throw new Error('a key is kept as long as the call it made');
      return { kind: 'made', row, isReplay };
    });
  });
}

/** Throws when the wallet holds not as much for all of them: alone, some may still be paid. */
async function writeCalls(
  tx: Tx,
  desk: VoiceDesk,
  place: Place,
  calls: readonly NewCall[],
  now: Date,
): Promise<readonly CallRow[]> {
  const { tenantId, environment } = place;
  const shares = calls.flatMap(sharesOf);
  const isPaid = await reserveMany(tx, tenantId, environment, shares, now);
  if (!isPaid) {
    const [{ currency }] = calls as [NewCall];
    const asked = { amount: totalOf(calls.map(({ reserved }) => reserved)), currency };
    throw shortOfFunds('call', asked, await findWallet(tx, tenantId, environment));
  }
  const jobs = calls.map(({ id }) => ({ queue: placeQueue, key: id, payload: { environment } }));
  const [made] = await Promise.all([
    insertCalls(tx, place, calls),
    desk.jobs.enqueue(tx, tenantId, jobs),
  ]);
  return made;
}

/** What the call may cost, and beside it what the legs may that its flow dials. */
function sharesOf({ id, reserved, legs_reserved }: NewCall): readonly Share[] {
  const own = { reference: id, amount: restOf(reserved, legs_reserved) };
  return legs_reserved === '0' ? [own] : [own, { reference: legsHold(id), amount: legs_reserved }];
}

/** What was made stays made, so keys are looked up before anything is refused. */
async function verdictsOn(
  tx: Tx,
  place: Place,
  lot: readonly Wish[],
  now: Date,
): Promise<readonly Verdict[]> {
  const known = await knownOf(tx, place, lot, now);
  const recalled = await byKey(lot, place, (asked) => recallKeys(tx, place.tenantId, asked));
  const judged = lot.map((wish) => recalled.get(wish) ?? judge(wish, known));
  const making = lot.filter((_, at) => judged[at]!.kind === 'new');
  const claimed = await byKey(making, place, (asked) => claimKeys(tx, place.tenantId, asked));
  return lot.map((wish, at) => claimed.get(wish) ?? judged[at]!);
}

/** What the keys of orders say; nothing of those that came without one, or are the first with it. */
async function byKey(
  wishes: readonly Wish[],
  { environment }: Place,
  ask: (requests: readonly KeyedRequest[]) => ReturnType<typeof recallKeys>,
): Promise<ReadonlyMap<Wish, Verdict>> {
  const keyed = wishes.filter(({ once }) => once !== undefined);
  if (keyed.length === 0) return new Map();
  const requests = keyed.map(({ once, id }) => ({ ...once!, environment, madeId: id }));
  const verdicts = await ask(requests);
  return new Map(
    keyed.flatMap((wish, at): [Wish, Verdict][] => {
      const verdict = verdicts[at]!;
      if (verdict.kind === 'fresh') return [];
      if (verdict.kind === 'replay') return [[wish, { kind: 'replay', id: verdict.madeId }]];
      return [[wish, { kind: 'refused', error: idempotencyMismatch() }]];
    }),
  );
}

function judge({ id, at, to, order }: Wish, known: Known): Verdict {
  try {
    return { kind: 'new', call: callOf(id, to, order, known, at) };
  } catch (error) {
    return { kind: 'refused', error }; // told to the one who ordered, and to nobody beside
  }
}

async function knownOf(tx: Tx, place: Place, lot: readonly Wish[], now: Date): Promise<Known> {
  const distinct = (of: (wish: Wish) => string) => [...new Set(lot.map(of))];
  const numbers = distinct(({ to }) => to);
  // Sent together, so that the five cost one round trip.
  const [providers, templates, out, consents, wallet] = await Promise.all([
    findProviders(
      tx,
      place,
      distinct(({ order }) => order.provider_config),
    ),
    findTemplates(
      tx,
      place,
      distinct(({ order }) => order.template_id),
    ),
    optedOut(tx, place, 'voice', numbers),
    consentsOf(tx, place, numbers),
    findWallet(tx, place.tenantId, place.environment),
  ]);
  const currency = wallet?.currency;
  const byId = new Map(templates.map((row) => [row.id, row]));
  const called = [...new Set([...numbers, ...dialledBy(lot, byId)])];
  return {
    providers: new Map(providers.map((row) => [row.id, row])),
    templates: byId,
    ...{ optedOut: out, consents, currency },
    rates: currency === undefined ? new Map() : await ratesOf(tx, place, called, currency, now),
  };
}

/** Every number that the flows of a lot would dial. */
function dialledBy(lot: readonly Wish[], templates: Known['templates']): readonly string[] {
  return lot.flatMap(({ order }) => {
    const flow = templates.get(order.template_id)?.flow;
    if (flow === undefined) return [];
    return destinationsOf(flow, order.variables).map(({ number }) => number);
  });
}

async function countOrder({ limits }: VoiceDesk, place: Place, config: string): Promise<void> {
  if (!providerId.safeParse(config).success) throw noProvider();
  // The tenant is in the key: what is asked in the name of another's configuration costs it nothing.
  const verdict = await limits.count(`voice ${place.tenantId} ${config}`, ordersPerSecond);
  if (verdict.isGranted) return;
  throw fail('rate_limited', 'More than 50 calls in a second through this provider: slow down.', {
    headers: retryAfter(verdict.retryAfterMs),
  });
}
