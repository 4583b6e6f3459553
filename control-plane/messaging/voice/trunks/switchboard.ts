/** The events of one PBX: to the call that each belongs to, in the order they came. */
import { isFinal } from '@drawbridge/messaging/call-status.ts';
import type { Settings } from '../../../channels/asterisk/settings.ts';
import type { ToldEvent, TrunkEvent } from '../../../channels/asterisk/webhook.ts';
import { given } from '../../../channels/reading.ts';
import type { VoiceAccount } from '../../../channels/voice-contract.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { advance, type Told } from '../calls/progress.ts';
import { firstCallIdAt } from '../calls/schema.ts';
import { type CallRow, findCall, lockCall } from '../calls/store.ts';
import type { VoiceDesk } from '../desk.ts';
import { endNotHeard, isLegChannel, type LegTold } from '../legs/leg.ts';
import { hearLeg } from '../legs/progress.ts';
import { findLegs } from '../legs/store.ts';
import type { OpenProvider } from '../providers/account.ts';
import { lookUp } from '../providers/look-up.ts';
import { keepRecording } from '../recordings/keep.ts';
import { findTemplate } from '../templates/store.ts';
import { Line, LineLost, LineOver } from './line.ts';
import { runSession, wholeOf } from './session.ts';
import { listGoing, listUnheard, type UnheardCall } from './store.ts';
import { messageOf } from './waits.ts';

const callIdPattern = /^call_[0-9a-hjkmnp-tv-z]{26}/;
/** Longer than any call is let be. */
const longestMs = 5 * 3_600_000;
/** Calls looked for at the same time. */
const pageMax = 100;
const unheardMax = 1_000;

export class Switchboard {
  readonly #desk: VoiceDesk;
  #open: OpenProvider;
  readonly #hold: (tx: Tx) => Promise<void>;
  readonly #lines = new Map<string, Line>();
  /** What is written down of a call is written in the order it came. */
  readonly #writing = new Map<string, Promise<void>>();
  /** Channels that are gone, before that was written: who answered and left at once is no line. */
  readonly #ending = new Set<string>();
  #isClosed = false;

  /** `hold` throws `LeaseLost` in a transaction when another node listens by now. */
  constructor(desk: VoiceDesk, open: OpenProvider, hold: (tx: Tx) => Promise<void>) {
    this.#desk = desk;
    this.#open = open;
    this.#hold = hold;
  }

  /** What the configuration says now, for calls that begin from here on. */
  adopt(open: OpenProvider): void {
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
      this.#lines.get(callId)?.end(new LineOver());
      this.#lines.delete(callId);
      this.#ending.add(callId);
      this.#write(callId, () => this.#ended(callId, event, at));
    }
    const leg = legToldBy(callId, event, at);
    if (leg !== undefined) this.#write(callId, () => this.#legTold(callId, leg));
    if (event.kind === 'recorded' && !event.isEmpty) {
      this.#write(callId, () => this.#recorded(callId, event));
    }
  }

  /** Takes up the calls that go on, and what was recorded of those that ended unheard. */
  async resume(heardAt: Date | null): Promise<void> {
    const { db, clock } = this.#desk;
    const { place, row } = this.#open;
    const began = new Date(clock().getTime() - longestMs);
    const from = firstCallIdAt(began);
    const gone: string[] = [];
    for (let after = from, isLast = false; !isLast && !this.#isClosed; ) {
      const going = await db.tenant(place.tenantId, (tx) =>
        listGoing(tx, place, row.id, after, pageMax),
      );
      const found = await Promise.all(going.map(({ id }) => this.#find(id)));
      gone.push(...going.flatMap(({ id }, at) => (found[at] === 'gone' ? [id] : [])));
      isLast = going.length < pageMax;
      after = going.at(-1)?.id ?? after;
    }
    const when = { from, since: heardAt ?? began, gone };
    await db.tenant(place.tenantId, async (tx) => {
      const unheard = await listUnheard(tx, place, row.id, when, unheardMax);
      for (const call of unheard) {
        for (const name of namesOf(call)) await this.#keep(tx, call, name);
      }
    });
  }

  async #find(callId: string): Promise<'taken' | 'gone' | 'unclear'> {
    const found = await lookUp(this.#desk, this.#open, { requestId: callId });
    if (found.kind !== 'report') return found.kind;
    if (found.status !== 'in_progress') return 'unclear';
    if (!this.#lines.has(callId)) {
      this.#write(callId, () => this.#findLegs(callId));
      this.#write(callId, () => this.#answered(callId, undefined));
    }
    return 'taken';
  }

  /** The websocket is gone: what waits on it stops, and whoever connects next takes it up. */
  close(): void {
    this.#isClosed = true;
    for (const line of this.#lines.values()) line.end(new LineLost());
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
      const call = await this.#own(tx, callId);
      const template = call && (await findTemplate(tx, place, call.template_id));
      return call === undefined || template === undefined || isFinal(call.status)
        ? undefined
        : { call, flow: template.flow };
    });
    if (found === undefined || this.#isClosed || this.#lines.has(callId)) return;
    if (this.#ending.has(callId)) return;
    const { wire, clock } = this.#desk;
    const since = clock();
    const line = new Line({ wire, account: account as VoiceAccount<Settings>, callId, since });
    this.#lines.set(callId, line);
    const written = async () => this.#writing.get(callId);
    const [desk, open, hold] = [this.#desk, this.#open, this.#hold];
    void runSession({ desk, open, hold, line, written, ...found });
  }

  async #legTold(callId: string, told: LegTold): Promise<void> {
    const { place } = this.#open;
    await this.#desk.db.tenant(place.tenantId, async (tx) => {
      const call = await lockCall(tx, place, callId);
      if (call?.provider_id !== this.#open.row.id) return;
      await hearLeg(this.#desk, tx, place, call, told);
    });
  }

  /** Legs that were answered, or ended, while nobody listened: now, as far as anybody knows. */
  async #findLegs(callId: string): Promise<void> {
    const { place } = this.#open;
    const legs = await this.#desk.db.tenant(place.tenantId, (tx) => findLegs(tx, place, callId));
    for (const { provider_leg_id: legId, ended_at } of legs) {
      if (legId === null || ended_at !== null) continue;
      const found = await lookUp(this.#desk, this.#open, { requestId: legId });
      if (found.kind === 'gone') {
        await this.#legTold(callId, { legId, status: 'completed', cause: endNotHeard });
      }
      if (found.kind === 'report') await this.#legTold(callId, { legId, status: found.status });
    }
  }

  /** After an answer the call is complete, however it ended; before, its cause says what it was. */
  async #ended(callId: string, event: Extract<TrunkEvent, { kind: 'ended' }>, at?: Date) {
    const { status, cause } = event;
    await this.#tell(callId, { status, at, callId, cause }).finally(() =>
      this.#ending.delete(callId),
    );
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
      const call = await this.#own(tx, callId);
      if (call !== undefined) await this.#keep(tx, call, event.name, event.durationSeconds);
    });
  }

  /** Others may call through the same PBX, and their events come here too. */
  async #own(tx: Tx, callId: string): Promise<CallRow | undefined> {
    const call = await findCall(tx, this.#open.place, callId);
    return call?.provider_id === this.#open.row.id ? call : undefined;
  }

  #keep(tx: Tx, call: { readonly id: string }, name: string, durationSeconds?: number) {
    const told = { recordingId: name, url: name, ...given({ durationSeconds }) };
    return keepRecording(this.#desk, tx, this.#open, call, told);
  }
}

/** What is recorded of a call, by its names on the PBX. */
function namesOf({ id, is_recorded, document }: UnheardCall): readonly string[] {
  return [
    ...(is_recorded ? [wholeOf(id)] : []),
    ...(document === null ? [] : [messageOf(id, document)]),
  ];
}

/** What an event tells of a channel that the call dialled: answered, or over. */
function legToldBy(callId: string, event: TrunkEvent, at: Date | undefined): LegTold | undefined {
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
