import type { Target } from './diagnostic.ts';
import type { DialResult, WaitAnswer } from './machine.ts';
import type { WaitEvent } from './printer.ts';

/** What a provider sent to the address of a wait. */
export interface Answer {
  readonly node: string;
  readonly event: WaitEvent;
  /** Its form fields, or the members of its JSON, as the provider names them. */
  readonly fields: Readonly<Record<string, unknown>>;
  /**
   * Statuses that the provider sent separately about the dialled leg; Vonage sends nothing else.
   */
  readonly legStatuses?: readonly string[];
}

/**
 * The answer in the words of the flow, the same for every provider. Never throws, whatever the
 * fields.
 */
export function readAnswer(target: Target, answer: Answer): WaitAnswer {
  const { node, event } = answer;
  switch (event) {
    case 'gathered':
      return { kind: 'gathered', node, digits: digitsIn(target, answer.fields) };
    case 'dialed':
      return { kind: 'dialed', node, result: dialResult(target, answer) };
    case 'recorded':
    case 'left':
    case 'continued':
      return { kind: event, node };
  }
}

/** Whether the end of a dialled leg is known yet; Vonage may report it after it asks what to do. */
export function isLegKnown(target: Target, legStatuses: readonly string[]): boolean {
  return (
    target !== 'ncco' ||
    legStatuses.some((word) => Object.hasOwn(results.ncco, word) || isFailure(word))
  );
}

/** Statuses that end a leg but have no result in the table. */
function isFailure(word: string): boolean {
  return word === 'failed' || word === 'cancelled';
}

function digitsIn(target: Target, fields: Answer['fields']): string {
  const holder = target === 'ncco' ? fields.dtmf : fields;
  const name = target === 'ncco' ? 'digits' : 'Digits';
  const digits = isObject(holder) ? holder[name] : undefined;
  return typeof digits === 'string' ? digits : '';
}

/** The providers' words for how a dialled leg ended; any other is a failure. */
const results: Readonly<Record<Target, Readonly<Record<string, DialResult>>>> = {
  twiml: {
    completed: 'answered',
    answered: 'answered',
    busy: 'busy',
    'no-answer': 'no_answer',
  },
  plivo: {
    completed: 'answered',
    answer: 'answered',
    busy: 'busy',
    timeout: 'no_answer',
    'no-answer': 'no_answer',
  },
  ncco: {
    completed: 'answered',
    answered: 'answered',
    busy: 'busy',
    timeout: 'no_answer',
    unanswered: 'no_answer',
    rejected: 'no_answer',
  },
};

function dialResult(target: Target, { fields, legStatuses = [] }: Answer): DialResult {
  const own = target === 'twiml' ? fields.DialCallStatus : fields.DialStatus;
  const words = target === 'ncco' ? legStatuses : [own];
  const known = words.flatMap((word) => {
    const table = results[target];
    return typeof word === 'string' && Object.hasOwn(table, word) ? [table[word]!] : [];
  });
  // Events come in any order: one `answered` outweighs every other status.
  return known.includes('answered') ? 'answered' : (known[0] ?? 'failed');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
