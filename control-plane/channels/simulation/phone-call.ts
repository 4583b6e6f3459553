/**
 * What the simulated people of a call do the next time a document waits for something; one row is
 * used up by each wait, whatever it waits for.
 */
export interface Behaviour {
  /** Keys the caller presses when digits are collected. */
  readonly keys: string;
  /** Pressed while the last sound before still plays, and not after it. */
  readonly isHasty: boolean;
  /** What becomes of a leg that is dialled. */
  readonly leg: 'answers' | 'is-busy' | 'does-not-answer' | 'fails';
  /** How long is spoken: into a recording, with who was dialled, in a conference. */
  readonly seconds: number;
  /** The caller hangs up in the middle of it. */
  readonly hangsUp: boolean;
}

/** What happened on the line, in order. Addresses and numbers as the document writes them. */
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
  /** From here on the whole call is recorded beneath what follows. */
  | { readonly kind: 'record-call' }
  | { readonly kind: 'conference'; readonly name: string }
  | { readonly kind: 'hangup'; readonly by: 'caller' | 'flow' };

/** A leg that a document dialled, and what became of it. */
export interface DialedLeg {
  /** The provider's id. */
  readonly id: string;
  /** As the document writes it. */
  readonly to: string;
  readonly end: 'completed' | 'busy' | 'no-answer' | 'failed' | 'canceled';
  /** How long was talked. */
  readonly seconds: number;
}

const ends: Readonly<Record<Behaviour['leg'], DialedLeg['end']>> = {
  answers: 'completed',
  'is-busy': 'busy',
  'does-not-answer': 'no-answer',
  fails: 'failed',
};

/** What the provider sends: form fields or the members of a JSON body, as it names them. */
export interface ProviderRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What one document came to. */
export interface Outcome {
  readonly effects: readonly Effect[];
  /** Sent beside; what is answered to them does not matter. */
  readonly notices: readonly ProviderRequest[];
  /** Whoever was dialled. */
  readonly legs: readonly DialedLeg[];
  /** Its answer is the next document; without it the call is over. */
  readonly next?: ProviderRequest;
  /** What goes on when the answer to `next` is no document; without it the call ends then. */
  readonly rest?: string;
  /** How many behaviours were used up. */
  readonly used: number;
  /** The provider would not take the document: the call ends with an application error. */
  readonly fault?: string;
}

/** A document is refused by throwing this; `outcomeOf` makes it an outcome. */
export class DocumentFault extends Error {}

/** Somebody hung up: nothing that follows in the document happens. */
export class LineEnded extends Error {}

/** The line while one document runs: what happens on it, and who behaves how. */
export class Line {
  readonly effects: Effect[] = [];
  readonly notices: ProviderRequest[] = [];
  readonly legs: DialedLeg[] = [];
  #used = 0;
  readonly #behaviours: readonly Behaviour[];

  constructor(behaviours: readonly Behaviour[]) {
    this.#behaviours = behaviours;
  }

  /** How people behave at this wait; when none is planned any more the caller hangs up. */
  behave(): Behaviour {
    const behaviour = this.#behaviours[this.#used];
    if (behaviour === undefined) this.end('caller');
    this.#used += 1;
    return behaviour;
  }

  /**
   * Keys pressed at a wait, given whether the sound before it lets them through: a hasty caller's keys
   * interrupt it, or are lost in it.
   */
  keysPressed({ keys, isHasty }: Behaviour, lets: 'interrupt' | 'ignore'): string {
    const last = this.effects.at(-1);
    const isHeard = last?.kind === 'say' || last?.kind === 'play';
    if (!isHasty || keys === '' || !isHeard) return keys;
    if (lets === 'ignore') return '';
    this.effects[this.effects.length - 1] = { ...last, isInterrupted: true };
    return keys;
  }

  /** Rings all of them together: when somebody answers it is the first, and the rest are let go. */
  dial(
    to: readonly string[],
    { leg, seconds }: Behaviour,
    newLeg: () => string,
  ): readonly DialedLeg[] {
    const isAnswered = leg === 'answers';
    this.effects.push({ kind: 'dial', to, isAnswered });
    const legs = to.map((each, at): DialedLeg => {
      const end = isAnswered && at > 0 ? 'canceled' : ends[leg];
      return { id: newLeg(), to: each, end, seconds: end === 'completed' ? seconds : 0 };
    });
    this.legs.push(...legs);
    return legs;
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
}

/** Refuses a document unless what is said of it holds. */
export function must(condition: boolean, what: string): asserts condition {
  if (!condition) throw new DocumentFault(what);
}

/** An attribute or member that must be a whole number within bounds. */
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

/** An address the provider can reach. */
export function absoluteUrl(value: unknown, name: string): string {
  must(typeof value === 'string' && URL.canParse(value), `${name} is no address`);
  must(/^https?:/.test(value), `${name} is not on the web`);
  return value;
}
