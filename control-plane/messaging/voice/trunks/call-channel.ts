/** The channel of one call on a PBX: commands, and events that say when they are done. */
import { ari } from '../../../channels/asterisk/adapter.ts';
import type { Settings } from '../../../channels/asterisk/settings.ts';
import type { TrunkEvent } from '../../../channels/asterisk/webhook.ts';
import { type JsonObject, jsonOf } from '../../../channels/untrusted-input.ts';
import type { VoiceAccount } from '../../../channels/voice-contract.ts';
import type { Exchange, Wire } from '../../wire.ts';

/** The channel has ended, so no further command is possible. */
export class ChannelEnded extends Error {}

/** This node no longer listens. The call goes on, and the next listener resumes it. */
export class ListenerLost extends Error {}

export interface CallChannelOptions {
  readonly wire: Wire;
  readonly account: VoiceAccount<Settings>;
  /** Also the id of the channel. */
  readonly callId: string;
  /**
   * When this node began with the channel; part of new names, so that they differ from an earlier
   * node's.
   */
  readonly since: Date;
}

/** The longest sound; after that time its end is assumed. */
const playMs = 600_000;

/** The state of a resource on a PBX: found, gone, or no clear answer. */
export type PbxState = JsonObject | 'gone' | 'unclear';

type Query = Readonly<Record<string, string>>;

export class CallChannel {
  readonly options: CallChannelOptions;
  readonly #listeners = new Set<(event: TrunkEvent | undefined) => void>();
  #count = 0;
  #ended: ChannelEnded | ListenerLost | undefined;

  constructor(options: CallChannelOptions) {
    this.options = options;
  }

  /** Passes on an event about this channel, its playbacks, recordings or legs. */
  dispatch(event: TrunkEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  /** The channel has ended, or this node no longer listens: rejects everything that waits. */
  end(how: ChannelEnded | ListenerLost): void {
    this.#ended ??= how;
    for (const listener of [...this.#listeners]) listener(undefined);
  }

  /**
   * The name of a resource on this channel; it begins with the call's id, by which its events are
   * routed.
   */
  newId(what: string): string {
    this.#count += 1;
    const { callId, since } = this.options;
    return `${callId}-${what}${since.getTime()}-${this.#count}`;
  }

  /**
   * Sends a command; returns whether the PBX did it. Throws `ChannelEnded` or `ListenerLost` after
   * the end.
   */
  async command(method: 'POST' | 'DELETE', path: string, query: Query = {}): Promise<boolean> {
    if (this.#ended !== undefined) throw this.#ended;
    return isDone(await this.#send(method, path, query));
  }

  /** The state of a resource on the PBX, if known. Throws as `command` does. */
  async read(path: string): Promise<PbxState> {
    if (this.#ended !== undefined) throw this.#ended;
    return this.readAlways(path);
  }

  /** As `read`, also after the channel has ended. */
  async readAlways(path: string): Promise<PbxState> {
    const exchange = await this.#send('GET', path, {});
    if (exchange.kind !== 'answered') return 'unclear';
    const { status, body } = exchange.response;
    return status === 404 ? 'gone' : ((status === 200 ? jsonOf(body) : undefined) ?? 'unclear');
  }

  /** Deletes a resource of the channel, also after the channel has ended. */
  async cleanUp(path: string): Promise<void> {
    await this.#send('DELETE', path, {});
  }

  #send(method: 'GET' | 'POST' | 'DELETE', path: string, query: Query): Promise<Exchange> {
    const { wire, account } = this.options;
    return wire.send(ari(account, method, path, query));
  }

  /** Calls `see` for each event from now on, until the returned function is called. */
  onEvent(see: (event: TrunkEvent) => void): () => void {
    const listener = (event: TrunkEvent | undefined) => {
      if (event !== undefined) see(event);
    };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * The result of `find`, now or after an event; undefined when it finds nothing in time. Throws
   * `ChannelEnded` or `ListenerLost` when that comes first.
   */
  waitUntil<Found>(find: () => Found | undefined, withinMs: number): Promise<Found | undefined> {
    const found = find();
    return found === undefined ? this.waitForEvent(find, withinMs) : Promise.resolve(found);
  }

  /** The same, for the first event for which `find` returns a result. */
  waitForEvent<Found>(
    find: (event: TrunkEvent) => Found | undefined,
    withinMs: number,
  ): Promise<Found | undefined> {
    return new Promise((resolve, reject) => {
      const done = (settle: () => void) => {
        clearTimeout(timer);
        this.#listeners.delete(listener);
        settle();
      };
      const listener = (event: TrunkEvent | undefined) => {
        if (event === undefined) return done(() => reject(this.#ended));
        const found = find(event);
        if (found !== undefined) done(() => resolve(found));
      };
      const timer = setTimeout(() => done(() => resolve(undefined)), withinMs);
      this.#listeners.add(listener);
      if (this.#ended !== undefined) listener(undefined);
    });
  }

  /** Plays a sound to its end, or until `interrupted` resolves. */
  async play(url: string, interrupted?: Promise<unknown>): Promise<void> {
    const { callId } = this.options;
    const id = this.newId('sound');
    const ended = this.waitForEvent(
      (event) => (event.kind === 'played' && event.playbackId === id ? true : undefined),
      playMs,
    );
    ended.catch(() => {}); // awaited below, if the PBX plays it
    const media = `sound:${url}`;
    if (!(await this.command('POST', `channels/${callId}/play/${id}`, { media }))) return;
    if (interrupted === undefined) return void (await ended);
    const isCut = await Promise.race([ended.then(() => false), interrupted.then(() => true)]);
    if (isCut) await this.command('DELETE', `playbacks/${id}`);
  }

  pause(seconds: number): Promise<undefined> {
    return this.waitForEvent(() => undefined, seconds * 1_000);
  }

  hangUp(): Promise<boolean> {
    return this.command('DELETE', `channels/${this.options.callId}`, { reason: 'normal' });
  }
}

function isDone(exchange: Exchange): boolean {
  return exchange.kind === 'answered' && exchange.response.status < 300;
}
