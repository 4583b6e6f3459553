/** One channel of a PBX: what can be done on it, each done when its event says so. */
import { ari } from '../../../channels/asterisk/adapter.ts';
import type { Settings } from '../../../channels/asterisk/settings.ts';
import type { TrunkEvent } from '../../../channels/asterisk/webhook.ts';
import { type JsonObject, jsonOf } from '../../../channels/reading.ts';
import type { VoiceAccount } from '../../../channels/voice-contract.ts';
import type { Exchange, Wire } from '../../wire.ts';

/** The channel is gone: nothing that follows can happen. */
export class LineOver extends Error {}

/** Nobody listens here any more. The call goes on, and whoever connects next takes it up. */
export class LineLost extends Error {}

export interface LineOptions {
  readonly wire: Wire;
  readonly account: VoiceAccount<Settings>;
  /** Also the id of the channel. */
  readonly callId: string;
  /** When it was taken up: what an earlier node named on this channel is not named again. */
  readonly since: Date;
}

/** A sound lasts at most so long, whatever the PBX says or fails to say. */
const playMs = 600_000;

/** What a PBX shows; nothing, or no answer to go by. */
export type Found = JsonObject | 'gone' | 'unclear';

type Query = Readonly<Record<string, string>>;

export class Line {
  readonly options: LineOptions;
  readonly #listeners = new Set<(event: TrunkEvent | undefined) => void>();
  #count = 0;
  #ended: LineOver | LineLost | undefined;

  constructor(options: LineOptions) {
    this.options = options;
  }

  /** An event about this channel, its playbacks, recordings and legs. */
  hear(event: TrunkEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  /** The channel has ended, or is no longer listened to: whatever waits for it stops. */
  end(how: LineOver | LineLost): void {
    this.#ended ??= how;
    for (const listener of [...this.#listeners]) listener(undefined);
  }

  /** Names of things on this channel begin with its id, so that their events find the way back. */
  newId(what: string): string {
    this.#count += 1;
    const { callId, since } = this.options;
    return `${callId}-${what}${since.getTime()}-${this.#count}`;
  }

  /** Asks the PBX; answers whether it did. Throws `LineOver` or `LineLost` once it has ended. */
  async ask(method: 'POST' | 'DELETE', path: string, query: Query = {}): Promise<boolean> {
    if (this.#ended !== undefined) throw this.#ended;
    return isDone(await this.#send(method, path, query));
  }

  /** What the PBX shows there, if it says. Throws as `ask` does. */
  async read(path: string): Promise<Found> {
    if (this.#ended !== undefined) throw this.#ended;
    return this.look(path);
  }

  /** The same, also when the channel has ended. */
  async look(path: string): Promise<Found> {
    const exchange = await this.#send('GET', path, {});
    if (exchange.kind !== 'answered') return 'unclear';
    const { status, body } = exchange.response;
    return status === 404 ? 'gone' : ((status === 200 ? jsonOf(body) : undefined) ?? 'unclear');
  }

  /** Removes what the channel leaves behind, whether or not it has ended. */
  async tidy(path: string): Promise<void> {
    await this.#send('DELETE', path, {});
  }

  #send(method: 'GET' | 'POST' | 'DELETE', path: string, query: Query): Promise<Exchange> {
    const { wire, account } = this.options;
    return wire.send(ari(account, method, path, query));
  }

  /** Sees each event from now on, until what is answered is called. */
  watch(see: (event: TrunkEvent) => void): () => void {
    const listener = (event: TrunkEvent | undefined) => {
      if (event !== undefined) see(event);
    };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * What `find` finds, now or after an event; undefined when it finds nothing in time. Throws
   * `LineOver` or `LineLost` when that comes first.
   */
  when<Found>(find: () => Found | undefined, withinMs: number): Promise<Found | undefined> {
    const found = find();
    return found === undefined ? this.until(find, withinMs) : Promise.resolve(found);
  }

  /** The same, of the first event that `find` makes something of. */
  until<Found>(
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

  /** Plays a sound to its end, or until `interrupted` answers. */
  async play(url: string, interrupted?: Promise<unknown>): Promise<void> {
    const { callId } = this.options;
    const id = this.newId('sound');
    const ended = this.until(
      (event) => (event.kind === 'played' && event.playbackId === id ? true : undefined),
      playMs,
    );
    ended.catch(() => {}); // awaited below, if the PBX takes it
    const media = `sound:${url}`;
    if (!(await this.ask('POST', `channels/${callId}/play/${id}`, { media }))) return;
    if (interrupted === undefined) return void (await ended);
    const isCut = await Promise.race([ended.then(() => false), interrupted.then(() => true)]);
    if (isCut) await this.ask('DELETE', `playbacks/${id}`);
  }

  pause(seconds: number): Promise<undefined> {
    return this.until(() => undefined, seconds * 1_000);
  }

  hangUp(): Promise<boolean> {
    return this.ask('DELETE', `channels/${this.options.callId}`, { reason: 'normal' });
  }
}

function isDone(exchange: Exchange): boolean {
  return exchange.kind === 'answered' && exchange.response.status < 300;
}
