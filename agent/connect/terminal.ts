import { printable } from '../printable.ts';
import type { Runtime } from '../runtime.ts';
import type { Question } from './step.ts';

/** What a person at the terminal did with a question. */
export type Asked =
  | { readonly kind: 'answer'; readonly value: string }
  | { readonly kind: 'back' }
  | { readonly kind: 'quit' };

/** Longer lists are searched by typing. */
const listMax = 12;

/** Asks on the terminal; `proposed` is what stands there already. */
export async function askOnTerminal(
  { stdin, stdout }: Pick<Runtime, 'stdin' | 'stdout'>,
  question: Question,
  proposed: string | undefined,
): Promise<Asked> {
  for (const line of question.says ?? []) stdout.write(`${printable(line)}\n`);
  const leaving = new AbortController();
  const onKey = (_: unknown, key?: { readonly name?: string }) => {
    if (key?.name === 'escape') leaving.abort();
  };
  stdin.on('keypress', onKey);
  try {
    return { kind: 'answer', value: await prompt(question, proposed, leaving.signal) };
  } catch (error) {
    const { name } = error as Error;
    if (name === 'AbortPromptError') return { kind: 'back' };
    if (name === 'ExitPromptError') return { kind: 'quit' };
    throw error;
  } finally {
    stdin.off('keypress', onKey);
  }
}

async function prompt(
  { kind, message: asked, why, choices = [], problem }: Question,
  proposed: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  const { input, password, search, select } = await import('@inquirer/prompts');
  const message = printable(`${asked} (${why})`);
  const byDefault = proposed === undefined ? {} : { default: proposed };
  const validate = (text: string) => problem?.(text.trim()) ?? true;
  if (kind === 'secret') return password({ message, mask: true }, { signal });
  if (kind === 'text') {
    const standing = proposed === undefined ? {} : { default: printable(proposed) };
    const typed = await input({ message, validate, required: true, ...standing }, { signal });
    return typed.trim();
  }
  const shown = choices.map(({ value, name }) => ({ value, name: printable(name) }));
  if (shown.length <= listMax) return select({ message, choices: shown, ...byDefault }, { signal });
  const first = shown.filter(({ value }) => value === proposed);
  const inOrder = [...first, ...shown.filter(({ value }) => value !== proposed)];
  const matching = (term = '') => {
    return inOrder.filter(({ name }) => name.toLowerCase().includes(term.toLowerCase()));
  };
  return search({ message, source: matching, pageSize: listMax }, { signal });
}
