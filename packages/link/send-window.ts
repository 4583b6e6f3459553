import { limits } from './limits.ts';

/**
 * The messages that were sent and not yet acknowledged: at most `limits.windowMax`, numbered from 1.
 *
 * ```ts
 * const window = new SendWindow<string>();
 * const seq = window.add('evt_1'); // 1
 * window.acknowledge(1); // ['evt_1']
 * ```
 */
export class SendWindow<Message> {
  #seq = 0;
  readonly #unacknowledged = new Map<number, Message>();

  /** How many more messages may be sent now. */
  get room(): number {
    return limits.windowMax - this.#unacknowledged.size;
  }

  /** Returns the sequence number of the message. */
  add(message: Message): number {
    this.#seq += 1;
    this.#unacknowledged.set(this.#seq, message);
    return this.#seq;
  }

  /** The messages up to this number; undefined when no message with it was sent. */
  acknowledge(upTo: number): readonly Message[] | undefined {
    if (upTo > this.#seq) return undefined;
    const done = [...this.#unacknowledged].filter(([seq]) => seq <= upTo);
    for (const [seq] of done) this.#unacknowledged.delete(seq);
    return done.map(([, message]) => message);
  }
}
