/** Routes the events of one PBX to their calls, in the order in which they arrive. */
import { KeyedQueue } from '@drawbridge/concurrency/keyed-queue.ts';
import { isFinal } from '@drawbridge/messaging/call-status.ts';
import type { Settings } from '../../../channels/asterisk/settings.ts';
import type { ToldEvent, TrunkEvent } from '../../../channels/asterisk/webhook.ts';
import { given } from '../../../channels/untrusted-input.ts';
import type { VoiceAccount } from '../../../channels/voice-contract.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { firstIdAt } from '../../../platform/ids.ts';
import { applyCallUpdate, type CallUpdate } from '../calls/call-updates.ts';
import { type CallRow, findCall, lockCall } from '../calls/store.ts';
import type { CallingContext } from '../context.ts';
import { endUnreported, isLegChannel, type LegUpdate } from '../legs/leg-state.ts';
import { applyLegUpdate } from '../legs/leg-updates.ts';
import { findLegs } from '../legs/store.ts';
import type { OpenProvider } from '../providers/account.ts';
import { lookUp } from '../providers/look-up.ts';
import { addRecording } from '../recordings/fetch.ts';
import { findFlow } from '../templates/store.ts';
import { CallChannel, ChannelEnded, ListenerLost } from './call-channel.ts';
import { messageRecordingName } from './interactions.ts';
import { callRecordingName, runSession } from './session.ts';
import { listActiveCalls, listUnreportedCalls, type UnreportedCall } from './store.ts';

const callIdPattern = /^call_[0-9a-hjkmnp-tv-z]{26}/;
/** Longer than any call may last. */
const callMsMax = 5 * 3_600_000;
/** The most calls looked up at the same time. */
const pageMax = 100;
const unreportedMax = 1_000;

export class TrunkEventRouter {
  readonly #context: CallingContext;
  #open: OpenProvider;
  readonly #checkLease: (tx: Tx) => Promise<void>;
  readonly #channels = new Map<string, CallChannel>();
  /** Saves the events of each call in the order in which they arrived. */
  readonly #writes = new KeyedQueue();
  /** Channels that have ended but are not yet saved as ended: no session starts for them. */
  readonly #ending = new Set<string>();
  #isClosed = false;

  /** `hold` throws `LeaseLost` in a transaction when another node listens now. */
  constructor(context: CallingContext, open: OpenProvider, hold: (tx: Tx) => Promise<void>) {
    this.#context = context;
    this.#open = open;
    this.#checkLease = hold;
  }

  /** Uses the changed configuration for calls that begin from now on. */
  useConfiguration(open: OpenProvider): void {
    this.#open = open;
  }

  route({ event, at }: ToldEvent): void {
    const callId = callIdPattern.exec(idOf(event))?.[0];
    if (callId === undefined) return;
    this.#channels.get(callId)?.dispatch(event);
    const isOwn = 'channelId' in event && event.channelId === callId;
    if (isOwn && event.kind === 'entered') this.#inOrder(callId, () => this.#answered(callId, at));
    if (isOwn && event.kind === 'state' && event.status === 'ringing') {
      this.#inOrder(callId, () => this.#applyUpdate(callId, { status: 'ringing', at, callId }));
    }
    if (isOwn && event.kind === 'ended') {
      this.#channels.get(callId)?.end(new ChannelEnded());
      this.#channels.delete(callId);
      this.#ending.add(callId);
      this.#inOrder(callId, () => this.#ended(callId, event, at));
    }
    const leg = legUpdateOf(callId, event, at);
    if (leg !== undefined) this.#inOrder(callId, () => this.#applyLegUpdate(callId, leg));
    if (event.kind === 'recorded' && !event.isEmpty) {
      this.#inOrder(callId, () => this.#recorded(callId, event));
    }
  }

  /** Resumes the calls in progress, and fetches recordings of calls whose end was not reported. */
  async resumeCalls(heardAt: Date | null): Promise<void> {
    const { db, clock } = this.#context;
    const { scope, row } = this.#open;
    const began = new Date(clock().getTime() - callMsMax);
    const from = firstIdAt('call', began);
    const gone: string[] = [];
    for (let after = from, isLast = false; !isLast && !this.#isClosed; ) {
      const going = await db.tenant(scope.tenantId, (tx) =>
        listActiveCalls(tx, scope, row.id, after, pageMax),
      );
      const found = await Promise.all(going.map(({ id }) => this.#resumeCall(id)));
      gone.push(...going.flatMap(({ id }, at) => (found[at] === 'gone' ? [id] : [])));
      isLast = going.length < pageMax;
      after = going.at(-1)?.id ?? after;
    }
    const when = { from, since: heardAt ?? began, gone };
    await db.tenant(scope.tenantId, async (tx) => {
      const unheard = await listUnreportedCalls(tx, scope, row.id, when, unreportedMax);
      for (const call of unheard) {
        for (const name of recordingNamesOf(call)) await this.#addRecording(tx, call, name);
      }
    });
  }

  async #resumeCall(callId: string): Promise<'taken' | 'gone' | 'unclear'> {
    const found = await lookUp(this.#context, this.#open, { requestId: callId });
    if (found.kind !== 'report') return found.kind;
    if (found.status !== 'in_progress') return 'unclear';
    if (!this.#channels.has(callId)) {
      this.#inOrder(callId, () => this.#lookUpLegs(callId));
      this.#inOrder(callId, () => this.#answered(callId, undefined));
    }
    return 'taken';
  }

  /** The websocket has closed: ends all sessions here; the next listener resumes the calls. */
  close(): void {
    this.#isClosed = true;
    for (const callChannel of this.#channels.values()) callChannel.end(new ListenerLost());
    this.#channels.clear();
  }

  #inOrder(callId: string, work: () => Promise<void>): void {
    this.#writes.run(callId, work).catch((err: unknown) => {
      this.#context.log.error({ err, callId }, 'an event of a PBX was not saved');
    });
  }

  async #answered(callId: string, at: Date | undefined): Promise<void> {
    const { db } = this.#context;
    const { scope, account } = this.#open;
    await this.#applyUpdate(callId, { status: 'in_progress', at, callId });
    const found = await db.tenant(scope.tenantId, async (tx) => {
      const call = await this.#findOwnCall(tx, callId);
      if (call === undefined || isFinal(call.status)) return undefined;
      const flow = await findFlow(tx, scope, call.template_id, call.template_version);
      return flow && { call, flow };
    });
    if (found === undefined || this.#isClosed || this.#channels.has(callId)) return;
    if (this.#ending.has(callId)) return;
    const { wire, clock } = this.#context;
    const since = clock();
    const callChannel = new CallChannel({
      wire,
      account: account as VoiceAccount<Settings>,
      callId,
      since,
    });
    this.#channels.set(callId, callChannel);
    void runSession({
      context: this.#context,
      open: this.#open,
      checkLease: this.#checkLease,
      callChannel,
      updatesWritten: () => this.#writes.ended(callId),
      ...found,
    });
  }

  async #applyLegUpdate(callId: string, update: LegUpdate): Promise<void> {
    const { scope } = this.#open;
    await this.#context.db.tenant(scope.tenantId, async (tx) => {
      const call = await lockCall(tx, scope, callId);
      if (call?.provider_id !== this.#open.row.id) return;
      await applyLegUpdate({ context: this.#context, tx, scope, call }, update);
    });
  }

  /** Updates legs that were answered or ended while no node listened. */
  async #lookUpLegs(callId: string): Promise<void> {
    const { scope } = this.#open;
    const legs = await this.#context.db.tenant(scope.tenantId, (tx) => findLegs(tx, scope, callId));
    for (const { provider_leg_id: legId, ended_at } of legs) {
      if (legId === null || ended_at !== null) continue;
      const found = await lookUp(this.#context, this.#open, { requestId: legId });
      if (found.kind === 'gone') {
        await this.#applyLegUpdate(callId, { legId, status: 'completed', cause: endUnreported });
      }
      if (found.kind === 'report')
        await this.#applyLegUpdate(callId, { legId, status: found.status });
    }
  }

  /** An answered call ends as completed; an unanswered one by its cause. */
  async #ended(callId: string, event: Extract<TrunkEvent, { kind: 'ended' }>, at?: Date) {
    const { status, cause } = event;
    await this.#applyUpdate(callId, { status, at, callId, cause }).finally(() =>
      this.#ending.delete(callId),
    );
  }

  async #applyUpdate(callId: string, update: CallUpdate): Promise<void> {
    const { scope, row } = this.#open;
    await this.#context.db.tenant(scope.tenantId, async (tx) => {
      const call = await lockCall(tx, scope, callId);
      if (call === undefined || call.provider_id !== row.id) return;
      const wasAnswered = call.answered_at !== null;
      const isEnd = isFinal(update.status);
      const early = update.status === 'completed' ? 'no_answer' : update.status;
      const hungUp = call.hangup_asked && !wasAnswered ? 'canceled' : early;
      const status = isEnd ? (wasAnswered ? 'completed' : hungUp) : update.status;
      await applyCallUpdate(this.#context, tx, scope, call, { ...update, status });
    });
  }

  async #recorded(callId: string, event: Extract<TrunkEvent, { kind: 'recorded' }>): Promise<void> {
    const { scope } = this.#open;
    await this.#context.db.tenant(scope.tenantId, async (tx) => {
      const call = await this.#findOwnCall(tx, callId);
      if (call !== undefined) await this.#addRecording(tx, call, event.name, event.durationSeconds);
    });
  }

  /** Events of calls that others place through the same PBX arrive here too, so check the owner. */
  async #findOwnCall(tx: Tx, callId: string): Promise<CallRow | undefined> {
    const call = await findCall(tx, this.#open.scope, callId);
    return call?.provider_id === this.#open.row.id ? call : undefined;
  }

  #addRecording(tx: Tx, call: { readonly id: string }, name: string, durationSeconds?: number) {
    const recording = { recordingId: name, url: name, ...given({ durationSeconds }) };
    return addRecording(this.#context, tx, this.#open, call, recording);
  }
}

/** The names of a call's recordings on the PBX. */
function recordingNamesOf({ id, is_recorded, document }: UnreportedCall): readonly string[] {
  return [
    ...(is_recorded ? [callRecordingName(id)] : []),
    ...(document === null ? [] : [messageRecordingName(id, document)]),
  ];
}

/** The update of a leg that an event reports: answered or ended. */
function legUpdateOf(
  callId: string,
  event: TrunkEvent,
  at: Date | undefined,
): LegUpdate | undefined {
  if (!isLegChannel(callId, idOf(event))) return undefined;
  if (event.kind === 'entered') {
    return { legId: event.channelId, status: 'in_progress', ...given({ at }) };
  }
  if (event.kind !== 'ended') return undefined;
  const { channelId: legId, status, cause } = event;
  return { legId, status, cause, ...given({ at }) };
}

/** The channel, playback or recording that an event is about. */
function idOf(event: TrunkEvent): string {
  if ('channelId' in event) return event.channelId;
  return event.kind === 'played' ? event.playbackId : event.name;
}
