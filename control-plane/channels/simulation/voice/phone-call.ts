/**
 * What the simulated people of a call do when a document next waits for something. Each wait uses
 * up one row, whatever it waits for.
 */
export interface Behaviour {
  /** Keys the caller presses when digits are collected. */
  readonly keys: string;
  /** The keys are pressed while the last sound before still plays, not after it. */
  readonly isHasty: boolean;
  /** How a leg that is dialled ends. */
  readonly leg: 'answers' | 'is-busy' | 'does-not-answer' | 'fails';
  /** How long somebody speaks: into a recording, with the person dialled, in a conference. */
  readonly seconds: number;
  /** The caller hangs up during the wait. */
  readonly hangsUp: boolean;
}

/** What happened on the line, in order. Addresses and numbers are as in the document. */
export type Effect =
  | {
      readonly kind: 'say';
      readonly text: string;
      readonly loop: number;
      readonly language?: string;
      readonly voice?: string;
      readonly isInterrupted: boolean;
    }
  | {
      readonly kind: 'play';
      readonly url: string;
      readonly loop: number;
      readonly isInterrupted: boolean;
    }
  | { readonly kind: 'pause'; readonly seconds: number }
  | { readonly kind: 'collect'; readonly digits: string }
  | { readonly kind: 'dial'; readonly to: readonly string[]; readonly isAnswered: boolean }
  | { readonly kind: 'record'; readonly seconds: number }
  /** From here on the whole call is recorded, while the document goes on. */
  | { readonly kind: 'record-call' }
  | { readonly kind: 'conference'; readonly name: string }
  | { readonly kind: 'hangup'; readonly by: 'caller' | 'flow' };

/** A leg that a document dialled, and how it ended. */
export interface DialedLeg {
  /** The provider's id. */
  readonly id: string;
  /** As the document writes it. */
  readonly to: string;
  readonly end: 'completed' | 'busy' | 'no-answer' | 'failed' | 'canceled';
  /** How long the conversation lasted. */
  readonly seconds: number;
}

/** The message that a caller left. */
export interface Recorded {
  readonly seconds: number;
  /** The key that ended it; '' when there was none. */
  readonly key: string;
  readonly isHungUp: boolean;
}

const ends: Readonly<Record<Behaviour['leg'], DialedLeg['end']>> = {
  answers: 'completed',
  'is-busy': 'busy',
  'does-not-answer': 'no-answer',
  fails: 'failed',
};

/**
 * What the provider sends: form fields or the members of a JSON body, under the provider's names.
 */
export interface ProviderRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A POST with these fields. */
export function postTo(url: string, fields: Readonly<Record<string, unknown>>): ProviderRequest {
  return { method: 'POST', url, fields };
}

/** The result of one document. */
export interface Outcome {
  readonly effects: readonly Effect[];
  /** Sent in addition; the answers do not matter. */
  readonly notices: readonly ProviderRequest[];
  /** The legs that were dialled. */
  readonly legs: readonly DialedLeg[];
  /** The answer to this request is the next document; without it the call is over. */
  readonly next?: ProviderRequest;
  /**
   * The rest to play when the answer to `next` is not a document; without it the call ends then.
   */
  readonly rest?: string;
  /** How many behaviours were used up. */
  readonly used: number;
  /** Why the provider refuses the document: the call ends with an application error. */
  readonly fault?: string;
}

/** Thrown to refuse a document; `Line.run` turns it into an outcome. */
export class DocumentFault extends Error {}

/** Somebody hung up: the rest of the document does not run. */
class LineEnded extends Error {}

/** The line while one document runs: what happens on it, and how people behave. */
export class Line {
  readonly effects: Effect[] = [];
  readonly notices: ProviderRequest[] = [];
  readonly legs: DialedLeg[] = [];
  #used = 0;
  readonly #behaviours: readonly Behaviour[];

  constructor(behaviours: readonly Behaviour[]) {
    this.#behaviours = behaviours;
  }

  /**
   * Waits for keys: those before the first finish key, at most `max`. The keys of a hasty caller
   * interrupt the sound before the wait or are lost in it, as `lets` says.
   */
  collect(
    finishKeys: string,
    max: number,
    lets: 'interrupt' | 'ignore',
  ): { readonly digits: string; readonly isFinished: boolean } {
    const behaviour = this.#behave();
    if (behaviour.hangsUp) this.end('caller');
    const keys = [...this.#keysPressed(behaviour, lets)];
    const end = keys.findIndex((key) => finishKeys.includes(key));
    const pressed = end < 0 ? keys : keys.slice(0, end);
    const digits = pressed.slice(0, max).join('');
    this.effects.push({ kind: 'collect', digits });
    return { digits, isFinished: end >= 0 };
  }

  /**
   * Rings all of them together: if somebody answers it is the first, and the others are released.
   * Returns the first leg; `tell` makes the notices of each leg, given its position from 0.
   */
  dial(
    to: readonly string[],
    newLeg: () => string,
    tell: (leg: DialedLeg, position: number) => readonly ProviderRequest[],
  ): DialedLeg {
    const { leg, seconds, hangsUp } = this.#behave();
    const isAnswered = leg === 'answers';
    this.effects.push({ kind: 'dial', to, isAnswered });
    const legs = to.map((each, at): DialedLeg => {
      const end = isAnswered && at > 0 ? 'canceled' : ends[leg];
      return { id: newLeg(), to: each, end, seconds: end === 'completed' ? seconds : 0 };
    });
    this.legs.push(...legs);
    this.notices.push(...legs.flatMap(tell));
    if (hangsUp) this.end('caller');
    return legs[0]!;
  }

  /** Records a message, at most that long; `tell` makes its notices. */
  record(
    secondsMax: number,
    tell: (recorded: Recorded) => readonly ProviderRequest[] = () => [],
  ): Recorded {
    const { seconds: spoken, keys, hangsUp } = this.#behave();
    const seconds = Math.min(spoken, secondsMax);
    const recorded = { seconds, key: keys[0] ?? '', isHungUp: hangsUp };
    this.effects.push({ kind: 'record', seconds });
    this.notices.push(...tell(recorded));
    if (hangsUp) this.end('caller');
    return recorded;
  }

  /** Joins a conference until the others have left. */
  meet(name: string): void {
    const { hangsUp } = this.#behave();
    this.effects.push({ kind: 'conference', name });
    if (hangsUp) this.end('caller');
  }

  end(by: 'caller' | 'flow'): never {
    this.effects.push({ kind: 'hangup', by });
    throw new LineEnded();
  }

  /** Runs a document to its end, to a request for the next one, or to a fault. */
  run(
    document: () => { readonly next: ProviderRequest; readonly rest?: string } | undefined,
  ): Outcome {
    const { effects, notices, legs } = this;
    try {
      const ended = document();
      if (ended === undefined) effects.push({ kind: 'hangup', by: 'flow' });
      return { effects, notices, legs, used: this.#used, ...ended };
    } catch (error) {
      if (error instanceof LineEnded) return { effects, notices, legs, used: this.#used };
      if (!(error instanceof DocumentFault)) throw error;
      return { effects, notices, legs, used: this.#used, fault: error.message };
    }
  }

  /** How people behave at this wait; the caller hangs up when no behaviour is left. */
  #behave(): Behaviour {
    const behaviour = this.#behaviours[this.#used];
    if (behaviour === undefined) this.end('caller');
    this.#used += 1;
    return behaviour;
  }

  #keysPressed({ keys, isHasty }: Behaviour, lets: 'interrupt' | 'ignore'): string {
    const last = this.effects.at(-1);
    const isHeard = last?.kind === 'say' || last?.kind === 'play';
    if (!isHasty || keys === '' || !isHeard) return keys;
    if (lets === 'ignore') return '';
    this.effects[this.effects.length - 1] = { ...last, isInterrupted: true };
    return keys;
  }
}

/** Refuses the document unless the condition holds. */
export function must(condition: boolean, what: string): asserts condition {
  if (!condition) throw new DocumentFault(what);
}

/** An attribute or member that must be a whole number within limits. */
export function wholeNumber(
  value: unknown,
  name: string,
  [min, max]: readonly [number, number],
  fallback: number,
): number {
  if (value === undefined) return fallback;
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  must(
    typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max,
    `${name} ${JSON.stringify(value)} is not within ${min} and ${max}`,
  );
  return number;
}

/** An address that the provider can reach. */
export function absoluteUrl(value: unknown, name: string): string {
  must(typeof value === 'string' && URL.canParse(value), `${name} is no address`);
  must(/^https?:/.test(value), `${name} is not on the web`);
  return value;
}

/** Whether the text is a SIP address. */
export function isSipAddress(text: string): boolean {
  return /^sips?:[^\s@]+@\S+$/.test(text);
}
