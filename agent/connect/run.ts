import { failed, type Outcome } from '../outcome.ts';
import { nextStep } from './next-step.ts';
import { performersAtSource } from './perform-at-source.ts';
import { remotePerformers } from './perform-remote.ts';
import { secretProblem } from './source-step.ts';
import { answer, back, forget, type State, withEntry } from './state.ts';
import type { Choice, Question } from './step.ts';
import { askOnTerminal } from './terminal.ts';
import { say } from './texts.ts';
import type { Findings, Performers, Work, WorkId } from './work.ts';
import type { WorkContext } from './work-context.ts';

export interface ConnectOptions {
  /** Answers of the command line, by question. */
  readonly given: Readonly<Record<string, string>>;
  /** Takes every proposal. */
  readonly yes: boolean;
  readonly isInteractive: boolean;
}

/** Answers that are never proposed again. */
const secrets: ReadonlySet<string> = new Set(['password', 'api-key']);

/** Asks and does one thing after the other; how far it came is kept after each. */
export async function runConnect(
  context: WorkContext,
  begun: State,
  options: ConnectOptions,
): Promise<Outcome> {
  const { home, runtime } = context;
  const given = new Map(Object.entries(options.given));
  const asked = withoutReplaced(begun, given);
  let state = options.isInteractive ? asked : withFaultTriedAgain(asked, given);
  const go = (next: State) => {
    state = next;
    const entries = state.entries.filter(({ id }) => id !== 'api-key');
    home.connecting.write({ ...state, entries });
  };
  for (;;) {
    const step = nextStep(state);
    if (step.kind === 'end') {
      home.connecting.remove();
      return { kind: 'done', data: step.data, shown: step.says.join('\n') };
    }
    if (step.kind === 'pause') {
      go(forget(state, step.forgets, secrets));
      return { kind: 'done', data: step.data, shown: step.says.join('\n') };
    }
    if (step.kind === 'work') {
      if (options.isInteractive) runtime.stdout.write(`${say(`work.${step.work.id}`)}\n`);
      const value = await perform(context, step.work);
      go(withEntry(state, { id: step.work.id, value, by: 'work' }));
      continue;
    }
    const { question } = step;
    const text = given.get(question.id);
    if (text !== undefined) {
      given.delete(question.id);
      const problem = problemOf(question, text);
      if (problem !== undefined) return failed('usage', `--answer ${question.id}: ${problem}`);
      go(withAnswer(state, question, text, 'command line'));
      continue;
    }
    if (!options.isInteractive) {
      const { fault, isDeliberate } = question;
      const proposed = takenFor(state, question);
      if (fault !== undefined) return failed(fault.error, fault.cause);
      const isTaken = options.yes && proposed !== undefined && !isDeliberate;
      if (!isTaken) return openQuestion(question, options);
      go(withAnswer(state, question, proposed, 'command line'));
      continue;
    }
    const asked = await askOnTerminal(runtime, question, proposalFor(state, question));
    if (asked.kind === 'quit') {
      return { kind: 'done', data: { stopped: question.id }, shown: `\n${say('stopped')}` };
    }
    if (asked.kind === 'back') go(back(state, secrets) ?? state);
    else go(withAnswer(state, question, asked.value, 'person'));
  }
}

/**
 * The state before the first answer that is given anew, and otherwise: what hangs on it is asked again. The
 * same answer once more changes nothing.
 */
function withoutReplaced(state: State, given: Map<string, string>): State {
  for (const [id, text] of given) if (answer(state, id) === text) given.delete(id);
  return [...given.keys()].reduce(
    (next, id) => (answer(next, id) === undefined ? next : forget(next, id, secrets)),
    state,
  );
}

/**
 * What ended the command before is tried once more: its cause may have been mended since. On a terminal the person
 * says how to go on.
 */
function withFaultTriedAgain(state: State, given: ReadonlyMap<string, string>): State {
  const step = nextStep(state);
  if (step.kind !== 'ask' || step.question.fault === undefined) return state;
  const { question } = step;
  const canBeTried = question.choices?.some(({ value }) => value === 'again') ?? false;
  return canBeTried && !given.has(question.id)
    ? withAnswer(state, question, 'again', 'command line')
    : state;
}

const performers: Performers = { ...performersAtSource, ...remotePerformers };

function perform<Id extends WorkId>(context: WorkContext, todo: Work<Id>): Promise<Findings[Id]> {
  return performers[todo.id](context, todo);
}

/** What was answered before it was taken back, or what is proposed. */
function proposalFor({ before }: State, question: Question): string | undefined {
  const earlier = before[question.id];
  const isOffered = question.choices?.some(({ value }) => value === earlier) ?? true;
  const isFault = question.fault !== undefined;
  return earlier !== undefined && isOffered && !isFault ? earlier : question.default;
}

/** What `--yes` takes: an earlier answer only as long as it can be used. */
function takenFor(state: State, question: Question): string | undefined {
  const proposed = proposalFor(state, question);
  const isUsable = proposed !== undefined && problemOf(question, proposed) === undefined;
  return isUsable ? proposed : question.default;
}

function withAnswer(
  state: State,
  question: Question,
  value: string,
  by: 'person' | 'command line',
): State {
  const leads = question.choices?.find((choice) => choice.value === value)?.leads;
  if (leads === undefined) return withEntry(state, { id: question.id, value, by });
  const answers = Object.entries(leads.answers ?? {});
  return answers.reduce(
    (next, [id, said]) => withEntry(next, { id, value: said, by }),
    forget(state, leads.forgets, secrets),
  );
}

function problemOf({ kind, choices, problem }: Question, text: string): string | undefined {
  if (kind === 'secret') return secretProblem(text);
  if (kind === 'choice' && choices?.every(({ value }) => value !== text)) {
    return say('answer.choice', { choices: valuesOf(choices) });
  }
  return problem?.(text);
}

function valuesOf(choices: readonly Choice[]): string {
  return choices.map(({ value }) => value).join(', ');
}

/** Without a terminal a question that nobody answers ends the command; it goes on from there. */
function openQuestion(
  { id, message, why, choices, says = [], default: proposed, isDeliberate }: Question,
  { yes }: ConnectOptions,
): Outcome {
  const before = says.filter((line) => line !== '').join(' ');
  const isProposed = proposed !== undefined && isDeliberate !== true && !yes;
  const parts = [
    before,
    say('answer.open', { id, question: `${message} (${why.replace(/\.$/, '')})` }),
    say(isProposed ? 'answer.give-or-yes' : 'answer.give', { id }),
    choices === undefined ? '' : say('answer.choice', { choices: valuesOf(choices) }),
  ];
  const cause = parts.filter((part) => part !== '').join(' ');
  const suggestions = choices?.map(({ value }) => value);
  return { kind: 'failed', error: 'usage', cause, ...(suggestions && { suggestions }) };
}
