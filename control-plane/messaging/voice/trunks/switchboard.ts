/** The events of one PBX: to the call that each belongs to, in the order they came. */
import { isFinal } from '@drawbridge/messaging/call-status.ts';
import { ari } from '../../../channels/asterisk/adapter.ts';
import type { Settings } from '../../../channels/asterisk/settings.ts';
import type { ToldEvent, TrunkEvent } from '../../../channels/asterisk/webhook.ts';
import { jsonOf, objectsOf, textOf } from '../../../channels/reading.ts';
import type { VoiceAccount } from '../../../channels/voice-contract.ts';
import { advance, type Told } from '../calls/progress.ts';
import { findCall, lockCall } from '../calls/store.ts';
import type { VoiceDesk } from '../desk.ts';
import type { OpenProvider } from '../providers/account.ts';
import { keepRecording } from '../recordings/keep.ts';
import { findTemplate } from '../templates/store.ts';
import { Line } from './line.ts';
import { runSession } from './session.ts';

const callIdPattern = /^call_[0-9a-hjkmnp-tv-z]{26}/;

export class Switchboard {
  readonly #desk: VoiceDesk;
  readonly #open: OpenProvider;
  readonly #lines = new Map<string, Line>();
  /** What is written down of a call is written in the order it came. */
  readonly #writing = new Map<string, Promise<void>>();
  #isClosed = false;

  constructor(desk: VoiceDesk, open: OpenProvider) {
    this.#desk = desk;
    this.#open = open;
  }

  hear({ event, at }: ToldEvent): void {
    const callId = callIdPattern.exec(idOf(event))?.[0];
    if (callId === undefined) return;
    this.#lines.get(callId)?.hear(event);
    const isOwn = 'channelId' in event && event.channelId === callId;
    if (isOwn && event.kind === 'entered') this.#write(callId, () => this.#answered(callId, at));
    if (isOwn && event.kind === 'state' && event.status === 'ringing') {
      this.#write(callId, () => this.#tell(callId, { status: 'ringing', at, callId }));
    }
    if (isOwn && event.kind === 'ended') {
      this.#lines.get(callId)?.end();
      this.#lines.delete(callId);
      this.#write(callId, () => this.#ended(callId, event, at));
    }
    if (event.kind === 'recorded' && !event.isEmpty) {
      this.#write(callId, () => this.#recorded(callId, event));
    }
  }

  /** Takes up the calls that are on the PBX already: another node listened before. */
  async resume(): Promise<void> {
    const { account } = this.#open;
    const request = ari(account as VoiceAccount<Settings>, 'GET', 'channels');
    const exchange = await this.#desk.wire.send(request);
    if (exchange.kind !== 'answered' || exchange.response.status !== 200) return;
    for (const channel of objectsOf(jsonOf(`{"list":${exchange.response.body}}`)?.list)) {
      const id = textOf(channel.id) ?? '';
      const isUp = textOf(channel.state) === 'Up';
      if (callIdPattern.exec(id)?.[0] !== id || !isUp || this.#lines.has(id)) continue;
      this.#write(id, () => this.#answered(id, undefined));
    }
  }

  /** The websocket is gone: what waits on it stops, and whoever connects next takes it up. */
  close(): void {
    this.#isClosed = true;
    for (const line of this.#lines.values()) line.end();
    this.#lines.clear();
  }

  #write(callId: string, work: () => Promise<void>): void {
    const before = this.#writing.get(callId) ?? Promise.resolve();
    const after = before.then(work).catch((err: unknown) => {
      this.#desk.log.error({ err, callId }, 'what a PBX told was not written down');
    });
    this.#writing.set(callId, after);
    void after.then(() => {
      if (this.#writing.get(callId) === after) this.#writing.delete(callId);
    });
  }

  async #answered(callId: string, at: Date | undefined): Promise<void> {
    const { db } = this.#desk;
    const { place, account } = this.#open;
    await this.#tell(callId, { status: 'in_progress', at, callId });
    const found = await db.tenant(place.tenantId, async (tx) => {
      const call = await findCall(tx, place, callId);
      const template = call && (await findTemplate(tx, place, call.template_id));
      return call === undefined || template === undefined || isFinal(call.status)
        ? undefined
        : { call, flow: template.flow };
    });
    if (found === undefined || this.#isClosed || this.#lines.has(callId)) return;
    const { wire, clock } = this.#desk;
    const since = clock();
    const line = new Line({ wire, account: account as VoiceAccount<Settings>, callId, since });
    this.#lines.set(callId, line);
    void runSession({ desk: this.#desk, open: this.#open, line, ...found });
  }

  /** After an answer the call is complete, however it ended; before, its cause says what it was. */
  #ended(callId: string, event: Extract<TrunkEvent, { kind: 'ended' }>, at: Date | undefined) {
    return this.#tell(callId, { status: event.status, at, callId, cause: event.cause });
  }

  async #tell(callId: string, told: Told): Promise<void> {
    const { place, row } = this.#open;
    await this.#desk.db.tenant(place.tenantId, async (tx) => {
      const call = await lockCall(tx, place, callId);
      if (call === undefined || call.provider_id !== row.id) return;
      const wasAnswered = call.answered_at !== null;
      const isEnd = isFinal(told.status);
      const early = told.status === 'completed' ? 'no_answer' : told.status;
      const hungUp = call.hangup_asked && !wasAnswered ? 'canceled' : early;
      const status = isEnd ? (wasAnswered ? 'completed' : hungUp) : told.status;
      await advance(this.#desk, tx, place, call, { ...told, status });
    });
  }

  async #recorded(callId: string, event: Extract<TrunkEvent, { kind: 'recorded' }>): Promise<void> {
    const { place } = this.#open;
    await this.#desk.db.tenant(place.tenantId, async (tx) => {
      const call = await findCall(tx, place, callId);
      if (call === undefined) return;
      const { name, durationSeconds } = event;
      const duration = durationSeconds === undefined ? {} : { durationSeconds };
      const told = { recordingId: name, url: name, ...duration };
      await keepRecording(this.#desk, tx, this.#open, call, told);
    });
  }
}

/** The channel, playback or recording that an event is about. */
function idOf(event: TrunkEvent): string {
  if ('channelId' in event) return event.channelId;
  return event.kind === 'played' ? event.playbackId : event.name;
}
