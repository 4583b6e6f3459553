/**
 * Creates calls. Requests of one tenant that arrive together share a transaction, which reserves
 * the most that the calls may cost and queues the jobs that place them.
 */
import { destinationsOf } from '@drawbridge/messaging/call-flow/destinations.ts';
import { remainderOf, totalOf } from '@drawbridge/messaging/call-rate.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { Batcher } from '../../../platform/concurrency/batcher.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { retryAfter } from '../../../platform/http/retry-after.ts';
import { claimKeys, type KeyedRequest, recallKeys } from '../../../platform/idempotency/claim.ts';
import { idempotencyMismatch, type Made, type Once } from '../../../platform/idempotency/once.ts';
import { newId } from '../../../platform/ids.ts';
import { optedOut } from '../../contacts/consents/store.ts';
import { fail } from '../../errors.ts';
import { insufficientFunds } from '../../tenants/wallet/insufficient-funds.ts';
import { findWallet, openWallet, reserveMany, type Share } from '../../tenants/wallet/store.ts';
import type { CallingContext } from '../context.ts';
import { numberAt } from '../e164-number.ts';
import { legsReference } from '../legs/payment.ts';
import { providerId } from '../providers/schema.ts';
import { findProviders } from '../providers/store.ts';
import { placeQueue } from '../queues.ts';
import { ratesOf } from '../rates/price.ts';
import { latestRecordingConsents } from '../recordings/consent-store.ts';
import { findTemplates } from '../templates/store.ts';
import { type CallReferences, type CallRequest, newCallOf, noProvider } from './new-call.ts';
import { type CallRow, findCalls, insertCalls, type NewCall } from './store.ts';

/** The rate that the specification gives a tenant for each provider. */
const callsPerSecond = { max: 50, windowMs: 1_000 };
const batchMax = 100;

/** Throws the error that the API returns. */
export type CreateCall = (
  scope: TenantScope,
  request: CallRequest,
  once: Once | undefined,
) => Promise<Made<CallRow>>;

export function createCalls(context: CallingContext): CreateCall {
  const batches = new Batcher({
    batchMax,
    write: (batch: readonly PendingCall[]) => writeBatch(context, batch),
  });
  return async (scope, request, once) => {
    const to = numberAt('to', request.to);
    await countRequest(context, scope, request.provider_config);
    const at = context.clock();
    const id = newId('call', () => at, context.random);
    const { tenantId, environment } = scope;
    const item = { scope, id, at, to, request, once };
    const outcome = await batches.add(`${environment} ${tenantId}`, item);
    if (outcome.kind === 'refused') throw outcome.error;
    return outcome;
  };
}

/** A request that waits for its batch, with the id of its future call. */
interface PendingCall {
  readonly scope: TenantScope;
  readonly id: string;
  /** The instant that is also in the id, so that lists sorted by either agree. */
  readonly at: Date;
  readonly to: string;
  readonly request: CallRequest;
  readonly once: Once | undefined;
}

type Refused = { readonly kind: 'refused'; readonly error: unknown };
type Outcome = ({ readonly kind: 'made' } & Made<CallRow>) | Refused;
/** The result of a request: a new call, the call of an earlier request, or a refusal. */
type Decision =
  | { readonly kind: 'new'; readonly call: NewCall }
  | { readonly kind: 'replay'; readonly id: string }
  | Refused;

function writeBatch(
  context: CallingContext,
  batch: readonly PendingCall[],
): Promise<readonly Outcome[]> {
  const { scope } = batch[0]!;
  const now = context.clock();
  return context.db.tenant(scope.tenantId, async (tx) => {
    const verdicts = await decideCalls(tx, scope, batch, now);
    const wanted = verdicts.flatMap((each) => (each.kind === 'new' ? [each.call] : []));
    const replayed = verdicts.flatMap((each) => (each.kind === 'replay' ? [each.id] : []));
    const made = wanted.length === 0 ? [] : await writeCalls(tx, context, scope, wanted, now);
    const found = replayed.length === 0 ? [] : await findCalls(tx, scope, replayed);
    const rows = new Map([...made, ...found].map((row) => [row.id, row]));
    return verdicts.map((each): Outcome => {
      if (each.kind === 'refused') return each;
      const isReplay = each.kind === 'replay';
      const row = rows.get(isReplay ? each.id : each.call.id);
      if (row === undefined) throw new Error('a key exists as long as its call');
      return { kind: 'made', row, isReplay };
    });
  });
}

/** Throws when the wallet cannot pay for all of them; the batcher then retries each alone. */
async function writeCalls(
  tx: Tx,
  context: CallingContext,
  scope: TenantScope,
  calls: readonly NewCall[],
  now: Date,
): Promise<readonly CallRow[]> {
  const { tenantId, environment } = scope;
  const shares = calls.flatMap(holdsOf);
  const isPaid = await reserveMany(tx, tenantId, environment, shares, now);
  if (!isPaid) {
    const [{ currency }] = calls as [NewCall];
    const asked = { amount: totalOf(calls.map(({ reserved }) => reserved)), currency };
    throw insufficientFunds('call', asked, await findWallet(tx, tenantId, environment));
  }
  const jobs = calls.map(({ id }) => ({ queue: placeQueue, key: id, payload: { environment } }));
  const [made] = await Promise.all([
    insertCalls(tx, scope, calls),
    context.jobs.enqueue(tx, tenantId, jobs),
  ]);
  return made;
}

/** One hold for the longest call allowed, and one for the legs that its flow may dial. */
function holdsOf({ id, reserved, legs_reserved }: NewCall): readonly Share[] {
  const own = { reference: id, amount: remainderOf(reserved, legs_reserved) };
  return legs_reserved === '0'
    ? [own]
    : [own, { reference: legsReference(id), amount: legs_reserved }];
}

/** Looks up idempotency keys first, because a repeated request must not be refused. */
async function decideCalls(
  tx: Tx,
  scope: TenantScope,
  batch: readonly PendingCall[],
  now: Date,
): Promise<readonly Decision[]> {
  const references = await readReferences(tx, scope, batch, now);
  const recalled = await decideByKey(batch, scope, (asked) =>
    recallKeys(tx, scope.tenantId, asked),
  );
  const judged = batch.map((pending) => recalled.get(pending) ?? decideCall(pending, references));
  const making = batch.filter((_, at) => judged[at]!.kind === 'new');
  const claimed = await decideByKey(making, scope, (asked) => claimKeys(tx, scope.tenantId, asked));
  return batch.map((pending, at) => claimed.get(pending) ?? judged[at]!);
}

/** The decisions by idempotency key; none for requests without a key, or with a new one. */
async function decideByKey(
  wishes: readonly PendingCall[],
  { environment }: TenantScope,
  ask: (requests: readonly KeyedRequest[]) => ReturnType<typeof recallKeys>,
): Promise<ReadonlyMap<PendingCall, Decision>> {
  const keyed = wishes.filter(({ once }) => once !== undefined);
  if (keyed.length === 0) return new Map();
  const requests = keyed.map(({ once, id }) => ({ ...once!, environment, madeId: id }));
  const verdicts = await ask(requests);
  return new Map(
    keyed.flatMap((pending, at): [PendingCall, Decision][] => {
      const verdict = verdicts[at]!;
      if (verdict.kind === 'fresh') return [];
      if (verdict.kind === 'replay') return [[pending, { kind: 'replay', id: verdict.madeId }]];
      return [[pending, { kind: 'refused', error: idempotencyMismatch() }]];
    }),
  );
}

function decideCall({ id, at, to, request }: PendingCall, references: CallReferences): Decision {
  try {
    return { kind: 'new', call: newCallOf(id, to, request, references, at) };
  } catch (error) {
    return { kind: 'refused', error }; // thrown only to the caller of this request
  }
}

async function readReferences(
  tx: Tx,
  scope: TenantScope,
  batch: readonly PendingCall[],
  now: Date,
): Promise<CallReferences> {
  const distinct = (of: (pending: PendingCall) => string) => [...new Set(batch.map(of))];
  const numbers = distinct(({ to }) => to);
  // Pipelined, so that the five queries need one round trip.
  const [providers, templates, out, consents, wallet] = await Promise.all([
    findProviders(
      tx,
      scope,
      distinct(({ request }) => request.provider_config),
    ),
    findTemplates(
      tx,
      scope,
      distinct(({ request }) => request.template_id),
    ),
    optedOut(tx, scope, 'voice', numbers),
    latestRecordingConsents(tx, scope, numbers),
    openWallet(tx, scope.tenantId, scope.environment),
  ]);
  const currency = wallet?.currency;
  const byId = new Map(templates.map((row) => [row.id, row]));
  const called = [...new Set([...numbers, ...dialledBy(batch, byId)])];
  return {
    providers: new Map(providers.map((row) => [row.id, row])),
    templates: byId,
    optedOut: out,
    consents,
    currency,
    rates: currency === undefined ? new Map() : await ratesOf(tx, scope, called, currency, now),
  };
}

/** Every number that the flows of a batch would dial. */
function dialledBy(
  batch: readonly PendingCall[],
  templates: CallReferences['templates'],
): readonly string[] {
  return batch.flatMap(({ request }) => {
    const flow = templates.get(request.template_id)?.flow;
    if (flow === undefined) return [];
    return destinationsOf(flow, request.variables).map(({ number }) => number);
  });
}

async function countRequest(
  { limits }: CallingContext,
  scope: TenantScope,
  config: string,
): Promise<void> {
  if (!providerId.safeParse(config).success) throw noProvider();
  // The key contains the tenant, so that nobody can use up the rate of another tenant.
  const verdict = await limits.count(`voice ${scope.tenantId} ${config}`, callsPerSecond);
  if (verdict.isGranted) return;
  throw fail('rate_limited', 'More than 50 calls in a second through this provider: slow down.', {
    headers: retryAfter(verdict.retryAfterMs),
  });
}
