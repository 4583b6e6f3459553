/** Finds the outcome of calls without reports: by look-up, or in the provider's list of calls. */
import { isFinal } from '@drawbridge/messaging/call-status.ts';
import type { MarkupProvider } from '../../../channels/voice-contract.ts';
import type { Environment } from '../../../platform/auth/principal.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import type { Job } from '../../../platform/jobs/job.ts';
import type { CallingContext } from '../context.ts';
import { endUnreported } from '../legs/leg-state.ts';
import { reconcileLegs } from '../legs/reconcile.ts';
import { type OpenProvider, openProvider, requestContext } from '../providers/account.ts';
import { fetchPages, lookUp } from '../providers/look-up.ts';
import { applyCallUpdate, type CallUpdate } from './call-updates.ts';
import { hangUp } from './hang-up.ts';
import { groupByScope, waitForAll } from './job-groups.ts';
import { type CallRow, findCalls, knownCallIds, lockCall } from './store.ts';

export interface ReconcileJob {
  readonly environment: Environment;
  /** How often the call was looked up. */
  readonly lookUps: number;
  /** When the provider last said that the call is in progress. */
  readonly aliveAt?: string | undefined;
}

/** Seconds to the next look-up; the last one repeats. */
const lookUpDelays = [30, 60, 120, 300] as const;
const second = 1_000;
const ringMs = 60 * second;
/** A provider's list shows a call some time after it was placed. */
const graceMs = 120 * second;
const unknownMs = 24 * 3_600 * second;

/** Completes the jobs of ended calls together, and looks up the others. */
export async function reconcileCalls(
  context: CallingContext,
  jobs: readonly Job<ReconcileJob>[],
): Promise<void> {
  await waitForAll(
    groupByScope(jobs).map(async ([scope, own]) => {
      const { tenantId } = scope;
      const going = await context.db.tenant(tenantId, async (tx) => {
        const ids = own.map(({ key }) => key);
        const calls = (await findCalls(tx, scope, ids)).filter((call) => !isOver(call));
        const isGoing = new Set(calls.map(({ id }) => id));
        const over = own.filter(({ key }) => !isGoing.has(key));
        if (over.length > 0) await context.jobs.complete(tx, tenantId, over);
        return calls;
      });
      const byKey = new Map(own.map((job) => [job.key, job]));
      await waitForAll(
        going.map((call) => reconcileCall(context, scope, byKey.get(call.id)!, call)),
      );
    }),
  );
}

/** Whether the call and all its legs have ended. */
function isOver({ status, legs_open }: CallRow): boolean {
  return isFinal(status) && legs_open === 0;
}

async function reconcileCall(
  context: CallingContext,
  scope: TenantScope,
  job: Job<ReconcileJob>,
  call: CallRow,
): Promise<void> {
  const open = await openProvider(context, scope, call.provider_id);
  if (open === undefined) throw new Error('a call names a configuration that does not exist');
  if (isFinal(call.status)) await reconcileLegs(context, open, call);
  const update = isFinal(call.status)
    ? undefined
    : await findOutcome(context, open, call, job.payload);
  await context.db.tenant(scope.tenantId, async (tx) => {
    const locked = await lockCall(tx, scope, call.id);
    const after =
      locked === undefined || update === undefined
        ? locked
        : await applyCallUpdate(context, tx, scope, locked, update);
    if (after === undefined || isOver(after)) {
      return context.jobs.complete(tx, scope.tenantId, [job]);
    }
    const seconds = lookUpDelays[Math.min(job.payload.lookUps, lookUpDelays.length - 1)]!;
    const now = context.clock();
    const payload: ReconcileJob = {
      environment: scope.environment,
      lookUps: job.payload.lookUps + 1,
      aliveAt: update === undefined ? job.payload.aliveAt : now.toISOString(),
    };
    const runAt = new Date(now.getTime() + seconds * second);
    await context.jobs.reschedule(tx, scope.tenantId, [{ job, runAt, payload }]);
  });
}

/** The update to apply; undefined when nothing new was found. */
async function findOutcome(
  context: CallingContext,
  open: OpenProvider,
  call: CallRow,
  { aliveAt }: ReconcileJob,
): Promise<CallUpdate | undefined> {
  const sinceMs = context.clock().getTime() - (call.asked_at ?? call.created_at).getTime();
  const isTrunk = open.provider.kind === 'trunk';
  const requestId = call.request_id ?? call.provider_call_id ?? (isTrunk ? call.id : undefined);
  if (requestId === undefined) return searchProviderList(context, open, call, sinceMs);
  const found = await lookUp(context, open, {
    requestId,
    callId: call.provider_call_id ?? undefined,
  });
  switch (found.kind) {
    case 'report': {
      if (call.hangup_asked) await hangUp(context, open, { ...call, request_id: requestId });
      const { status, at, durationSeconds, answeredBy, cause, callId } = found;
      return { status, at, durationSeconds, answeredBy, cause, callId, requestId };
    }
    case 'gone':
      return outcomeWhenGone(context, call, { sinceMs, aliveAt, isTrunk });
    case 'unclear':
      return sinceMs > unknownMs ? unreportedEnd(call, aliveAt) : undefined;
  }
}

/** The provider has no such call: not yet, never, or no longer. */
function outcomeWhenGone(
  context: CallingContext,
  call: CallRow,
  {
    sinceMs,
    aliveAt,
    isTrunk,
  }: {
    readonly sinceMs: number;
    readonly aliveAt: string | undefined;
    readonly isTrunk: boolean;
  },
): CallUpdate | undefined {
  const end = unreportedEnd(call, aliveAt);
  // A PBX has the channel at once, and nothing of it afterwards.
  if (isTrunk && (call.answered_at !== null || call.intent === 'placed')) return end;
  // A provider shows the record of a call some moments after it was placed, and after its end.
  const waitedMs = end.at === undefined ? sinceMs : context.clock().getTime() - end.at.getTime();
  return waitedMs < graceMs ? undefined : end;
}

/**
 * The end of a call of which nobody tells any more. None is called unplaced: a lost answer may have been
 * that of a call which rang.
 */
function unreportedEnd(call: CallRow, aliveAt: string | undefined): CallUpdate {
  if (call.answered_at !== null) {
    // It is charged up to the last time it was known to be in progress.
    const at = aliveAt === undefined ? call.answered_at : new Date(aliveAt);
    return { status: 'completed', at, cause: endUnreported };
  }
  const isPlaced = call.intent === 'placed' || call.provider_call_id !== null;
  return isPlaced
    ? failedUpdate('end_not_heard', endUnreported)
    : failedUpdate('placing_unknown', 'its outcome was never reported');
}

/** Looks in the provider's list for a call whose id was never reported. */
async function searchProviderList(
  context: CallingContext,
  open: OpenProvider,
  call: CallRow,
  sinceMs: number,
): Promise<CallUpdate | undefined> {
  const provider = open.provider as MarkupProvider;
  const from = new Date((call.asked_at ?? call.created_at).getTime() - 5 * second);
  const { account } = open;
  const request = provider.search.request(
    call.to_number,
    from,
    account as never,
    requestContext(context),
  );
  const list = await fetchPages(context, { provider, account }, request);
  const listed = list && provider.search.read(list.pages);
  const fitting = (listed ?? []).filter(
    ({ to, from: by, at }) =>
      to === call.to_number && by === call.from_number && (at === undefined || at >= from),
  );
  // A new call may push another to the next page, where it is listed a second time.
  const ids = [...new Set(fitting.map(({ callId }) => callId))];
  const { tenantId } = open.scope;
  const known = await context.db.tenant(tenantId, (tx) =>
    knownCallIds(tx, tenantId, call.provider_id, ids),
  );
  const mine = ids.filter((id) => !known.has(id));
  if (mine.length === 1) {
    if (call.hangup_asked) await hangUp(context, open, { ...call, request_id: mine[0]! });
    return { status: 'queued', intent: 'placed', requestId: mine[0]!, callId: mine[0]! };
  }
  const isOver = sinceMs > call.limit_seconds * second + ringMs + graceMs;
  if (listed !== undefined && list?.isWhole && mine.length === 0 && isOver) {
    return failedUpdate('not_placed', 'the provider lists no such call');
  }
  return sinceMs > unknownMs ? unreportedEnd(call, undefined) : undefined;
}

function failedUpdate(code: string, detail: string): CallUpdate {
  return { status: 'failed', error: { code, detail } };
}
