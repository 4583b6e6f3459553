import { failed, type Outcome } from '../outcome.ts';
import type { CommandContext } from './command.ts';

/** Asks before something is given up; undefined when it may be. Without a terminal --yes must be given. */
export async function confirmed(
  { runtime }: CommandContext,
  { yes }: { readonly yes: boolean },
  question: string,
): Promise<Outcome | undefined> {
  if (yes) return undefined;
  if (!runtime.stdin.isTTY) return failed('usage', `${question} Add --yes when not on a terminal.`);
  const { confirm } = await import('@inquirer/prompts');
  const isSure = await confirm({ message: question, default: false });
  return isSure
    ? undefined
    : { kind: 'done', data: { done: false }, shown: 'Nothing was changed.' };
}
