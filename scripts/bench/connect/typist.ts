import { setTimeout as delay } from 'node:timers/promises';
import type { Terminal } from './terminal.ts';

/** What is answered to questions; others are answered by Enter alone. */
export type Script = readonly {
  readonly question: RegExp;
  readonly text?: string;
  readonly keys?: readonly string[];
}[];

/** Milliseconds in which a person reads a question, and types a letter. */
const readingMs = 3_000;
const letterMs = 200;
const lookMs = 250;
/** In which an answer is shown as one. */
const shownMs = 1_000;
const endMs = 600_000;

interface Typed {
  readonly questions: number;
  readonly isAccepted: boolean;
  readonly screen: string;
}

/** Answers one question after the other until the command ends. */
export async function typeAnswers(terminal: Terminal, script: Script): Promise<Typed> {
  let questions = 0;
  let answered = '';
  const end = performance.now() + endMs;
  for (;;) {
    await delay(lookMs);
    const screen = await terminal.screen();
    const isAccepted = screen.includes('was accepted (202)');
    const isEnded = /Pane is dead|approved\. No document/.test(screen);
    if (isAccepted || isEnded || performance.now() > end) return { questions, isAccepted, screen };
    const [question] = screen
      .split('\n')
      .filter((line) => line.startsWith('? '))
      .slice(-1);
    if (question === undefined || screen === answered) continue;
    await delay(readingMs);
    const said = script.find((each) => each.question.test(question));
    for (const key of said?.keys ?? []) {
      await terminal.key(key);
      await delay(letterMs);
    }
    for (const letter of said?.text ?? '') {
      await terminal.type(letter);
      await delay(letterMs);
    }
    await terminal.key('Enter');
    questions += 1;
    answered = screen;
    await delay(shownMs);
  }
}
