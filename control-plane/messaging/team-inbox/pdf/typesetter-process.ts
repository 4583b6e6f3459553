/** The process that `press.ts` starts: a part comes in as a message, a file goes out as one. */
import type { DocumentPart } from './document.ts';
import type { PressAnswer } from './press.ts';
import { openTypesetter } from './typesetter.ts';

const typesetter = openTypesetter();

process.on('message', (part: DocumentPart) => process.send!(answerTo(part)));
// Whoever asked is gone.
process.on('disconnect', () => process.exit());

function answerTo(part: DocumentPart): PressAnswer {
  try {
    return { file: typesetter.typeset(part) };
  } catch (error) {
    // It may quote the text, so only its first line goes on.
    return {
      problem: String((error as Error).message)
        .split('\n')[0]!
        .slice(0, 200),
    };
  }
}
