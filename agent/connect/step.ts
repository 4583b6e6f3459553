import type { ErrorName } from '../errors.ts';
import type { Work } from './work.ts';

/** One of several answers. */
export interface Choice {
  readonly value: string;
  readonly name: string;
  /** What is taken back when it is chosen, and what is answered in its place. */
  readonly leads?: {
    readonly forgets: string;
    readonly answers?: Readonly<Record<string, string>>;
  };
}

/** What a person is asked. */
export interface Question {
  readonly id: string;
  readonly kind: 'text' | 'secret' | 'choice';
  readonly message: string;
  /** Why it is asked, or where the answer stands. */
  readonly why: string;
  readonly default?: string;
  /** `--yes` does not answer it: somebody has to. */
  readonly isDeliberate?: true;
  /** Of a choice. */
  readonly choices?: readonly Choice[];
  /** What is said before it. */
  readonly says?: readonly string[];
  /** What is wrong with an answer, as a sentence; undefined when it can be used. */
  readonly problem?: (text: string) => string | undefined;
  /** Something failed, and the question is how to go on: without a person it ends so. */
  readonly fault?: { readonly error: ErrorName; readonly cause: string };
}

/** What comes next. */
export type Step =
  | { readonly kind: 'ask'; readonly question: Question }
  /** Something has to be done, whose finding is kept under the name of the work. */
  | { readonly kind: 'work'; readonly work: Work }
  /** Something has to be done elsewhere; it goes on from here, without that finding. */
  | {
      readonly kind: 'pause';
      readonly forgets: string;
      readonly says: readonly string[];
      readonly data: object;
    }
  | { readonly kind: 'end'; readonly says: readonly string[]; readonly data: object };

export function ask(question: Question): Step {
  return { kind: 'ask', question };
}

export function work(todo: Work): Step {
  return { kind: 'work', work: todo };
}
