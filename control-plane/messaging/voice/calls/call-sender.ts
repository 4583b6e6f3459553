/** Asks the provider to place one call, and saves the outcome. */
import type { WireRequest } from '../../../channels/contract.ts';
import type {
  MarkupProvider,
  OutboundCall,
  PlaceOutcome,
} from '../../../channels/voice-contract.ts';
import type { Environment } from '../../../platform/auth/principal.ts';
import type { TenantScope } from '../../../platform/auth/tenant-scope.ts';
import { Batcher } from '../../../platform/concurrency/batcher.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import type { Job } from '../../../platform/jobs/job.ts';
import type { ArrivalSlot } from '../../../platform/limits/arrival-limits.ts';
import type { Exchange } from '../../wire.ts';
import type { CallingContext } from '../context.ts';
import { type OpenProvider, requestContext } from '../providers/account.ts';
import { reconcileQueue } from '../queues.ts';
import { answerUrlOf, callUrlOf } from './addresses.ts';
import { applyCallUpdate, type CallUpdate } from './call-updates.ts';
import { hangUp } from './hang-up.ts';
import { type CallRow, lockCall, savePlacedCalls, updateCall } from './store.ts';
import { afterUnplaced, type Unplaced } from './unplaced.ts';

const ringSeconds = 60;
const firstLookUpMs = 30_000;
const unknownLookUpMs = 15_000;
const batchMax = 200;

export interface CallJob {
  readonly environment: Environment;
  /** When the provider was asked first; absent before. */
  readonly triedSince?: string;
}

export interface CallSender {
  /** The call's intent must be saved already. Resolves when its job has ended. */
  send(open: OpenProvider, slot: ArrivalSlot, job: Job<CallJob>, call: CallRow): Promise<void>;
}

export function createCallSender(context: CallingContext): CallSender {
  const placings = new Batcher({
    batchMax,
    write: (batch: readonly Placed[]) => savePlaced(context, batch),
  });
  return {
    send: async (open, slot, job, call) => {
      const { provider, scope } = open;
      const request = provider.place(
        outboundCall(open, call),
        open.account as never,
        requestContext(context),
      );
      const exchange = await slot.run(() => measured(context, open, request));
      const outcome = outcomeOf(exchange, open, context.clock());
      if (outcome.kind === 'unknown') return markUnknown(context, scope, job, outcome.reason);
      if (outcome.kind !== 'placed') return saveUnplaced(context, scope, job, outcome);
      const requestId = outcome.requestId || call.id;
      const placed = await placings.add(batchKeyOf(scope), { scope, job, requestId });
      if (placed?.hangup_asked === true) await hangUp(context, open, placed);
    },
  };
}

function outcomeOf(exchange: Exchange, { provider }: OpenProvider, now: Date): PlaceOutcome {
  switch (exchange.kind) {
    case 'answered':
      return provider.readPlacing(exchange.response, now);
    case 'maybe-sent':
      return { kind: 'unknown', reason: exchange.reason };
    case 'unsent':
      return { kind: 'retry', reason: exchange.reason };
  }
}

async function measured(
  { wire, times }: CallingContext,
  { scope, provider }: OpenProvider,
  request: WireRequest,
): Promise<Exchange> {
  const end = times.begin({ environment: scope.environment, to: provider.id });
  const exchange = await wire.send(request);
  end(exchange.kind === 'answered' ? exchange.response.status : exchange.kind);
  return exchange;
}

/** Calls with the same key are saved in one batch. */
export function batchKeyOf({ tenantId, environment }: TenantScope): string {
  return `${environment} ${tenantId}`;
}

function outboundCall(open: OpenProvider, call: CallRow): OutboundCall {
  const { limits } = open.provider;
  const isRecordedByPlacing =
    open.provider.kind === 'trunk' || (open.provider as MarkupProvider).withRecording === undefined;
  return {
    id: call.id,
    to: call.to_number,
    from: call.from_number,
    answerUrl: answerUrlOf(open, call),
    statusUrl: callUrlOf(open, call.id, 'status'),
    recordingUrl:
      call.is_recorded && isRecordedByPlacing ? callUrlOf(open, call.id, 'recording') : undefined,
    ringSeconds: Math.min(ringSeconds, limits.ringSecondsMax),
    limitSeconds: Math.min(call.limit_seconds, limits.callSecondsMax),
    machineDetection: call.machine_detection,
  };
}

interface Placed {
  readonly scope: TenantScope;
  readonly job: Job;
  readonly requestId: string;
}

/** Saves the provider's ids of the calls of one scope, and schedules their look-ups. */
function savePlaced(
  { db, jobs, clock }: CallingContext,
  batch: readonly Placed[],
): Promise<readonly (CallRow | undefined)[]> {
  const { scope } = batch[0]!;
  const { tenantId, environment } = scope;
  const runAt = new Date(clock().getTime() + firstLookUpMs);
  const payload = { environment, lookUps: 0 };
  return db.tenant(tenantId, async (tx) => {
    const placed = batch.map(({ job, requestId }) => ({ id: job.key, requestId }));
    const looks = batch.map(({ job }) => ({ queue: reconcileQueue, key: job.key, payload, runAt }));
    const [calls] = await Promise.all([
      savePlacedCalls(tx, scope, placed),
      jobs.complete(
        tx,
        tenantId,
        batch.map(({ job }) => job),
      ),
      jobs.enqueue(tx, tenantId, looks),
    ]);
    const byId = new Map(calls.map((call) => [call.id, call]));
    return placed.map(({ id }) => byId.get(id));
  });
}

/** The call may be ringing: the first call-back or look-up decides. */
export async function markUnknown(
  context: CallingContext,
  scope: TenantScope,
  job: Job,
  why: string,
): Promise<void> {
  context.log.warn({ callId: job.key, why }, 'it is not known whether the call was placed');
  await context.db.tenant(scope.tenantId, async (tx) => {
    const call = await lockCall(tx, scope, job.key);
    await context.jobs.complete(tx, scope.tenantId, [job]);
    if (call !== undefined) await saveUnknown(context, tx, scope, call);
  });
}

async function saveUnknown(
  { jobs, clock }: CallingContext,
  tx: Tx,
  scope: TenantScope,
  call: CallRow,
): Promise<void> {
  const { tenantId, environment } = scope;
  const runAt = new Date(clock().getTime() + unknownLookUpMs);
  const payload = { environment, lookUps: 0 };
  await jobs.enqueue(tx, tenantId, [{ queue: reconcileQueue, key: call.id, payload, runAt }]);
  const status = isReported(call) ? call.status : 'unknown';
  await updateCall(tx, scope, call.id, { ...call, status, intent: 'unknown' });
}

/** Whether call-backs have come, which prove that the call was placed, whatever was answered. */
function isReported({ status, provider_call_id }: CallRow): boolean {
  return status !== 'queued' || provider_call_id !== null;
}

/** The provider did not accept the call: it has ended, or is asked for again. */
async function saveUnplaced(
  context: CallingContext,
  scope: TenantScope,
  job: Job<CallJob>,
  outcome: Unplaced,
): Promise<void> {
  const { tenantId } = scope;
  const { jobs } = context;
  await context.db.tenant(tenantId, async (tx) => {
    const call = await lockCall(tx, scope, job.key);
    if (call === undefined) return jobs.complete(tx, tenantId, [job]);
    if (isReported(call)) {
      await jobs.complete(tx, tenantId, [job]);
      return saveUnknown(context, tx, scope, call);
    }
    const now = context.clock();
    const triedSince = job.payload.triedSince ?? (call.asked_at ?? now).toISOString();
    const next = afterUnplaced(outcome, call, new Date(triedSince), now);
    if (next.kind === 'over') {
      await jobs.complete(tx, tenantId, [job]);
      await applyCallUpdate(context, tx, scope, call, next.update);
      return;
    }
    const { runAt, reason: error } = next;
    const payload: CallJob = { ...job.payload, triedSince };
    await updateCall(tx, scope, call.id, { ...call, intent: 'waiting', asked_at: null });
    await jobs.reschedule(tx, tenantId, [{ job, runAt, payload, error }]);
  });
}

/** Saves the outcome of a call that is not placed, and ends its job. */
export function endJob(
  context: CallingContext,
  scope: TenantScope,
  job: Job,
  update: CallUpdate,
): Promise<void> {
  return context.db.tenant(scope.tenantId, async (tx) => {
    const call = await lockCall(tx, scope, job.key);
    await context.jobs.complete(tx, scope.tenantId, [job]);
    if (call !== undefined) await applyCallUpdate(context, tx, scope, call, update);
  });
}
