/** One channel of a PBX: what can be done on it, each done when its event says so. */
import { ari } from '../../../channels/asterisk/adapter.ts';
import type { Settings } from '../../../channels/asterisk/settings.ts';
import type { TrunkEvent } from '../../../channels/asterisk/webhook.ts';
import type { VoiceAccount } from '../../../channels/voice-contract.ts';
import type { Wire } from '../../wire.ts';

/** The channel is gone: nothing that follows can happen. */
export class LineOver extends Error {}

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

export class Line {
  readonly options: LineOptions;
  readonly #listeners = new Set<(event: TrunkEvent | undefined) => void>();
  #count = 0;
  #isOver = false;

  constructor(options: LineOptions) {
    this.options = options;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** An event about this channel, its playbacks, recordings and legs. */
  hear(event: TrunkEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  /** The channel has ended: whatever waits for it stops. */
  end(): void {
    this.#isOver = true;
    for (const listener of [...this.#listeners]) listener(undefined);
  }

  /** Names of things on this channel begin with its id, so that their events find the way back. */
  newId(what: string): string {
    this.#count += 1;
    const { callId, since } = this.options;
    return `${callId}-${what}${since.getTime()}-${this.#count}`;
  }

  /** Asks the PBX; answers whether it did. Throws `LineOver` once the channel has ended. */
  async ask(
    method: 'POST' | 'DELETE',
    path: string,
    query: Readonly<Record<string, string>> = {},
  ): Promise<boolean> {
    if (this.#isOver) throw new LineOver();
    const { wire, account } = this.options;
    const exchange = await wire.send(ari(account, method, path, query));
    return exchange.kind === 'answered' && exchange.response.status < 300;
  }

  /**
   * The first event that `find` makes something of; undefined when none comes in time. Throws
   * `LineOver` when the channel ends first.
   */
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
        if (event === undefined) return done(() => reject(new LineOver()));
        const found = find(event);
        if (found !== undefined) done(() => resolve(found));
      };
      const timer = setTimeout(() => done(() => resolve(undefined)), withinMs);
      this.#listeners.add(listener);
      if (this.#isOver) listener(undefined);
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
