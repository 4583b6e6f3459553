/**
 * The process that `pdf-worker.ts` starts: tasks arrive as messages, and files leave as messages.
 */

import { isBreakdown, openThumbnailer, type Thumbnailer } from '../pictures/thumbnail.ts';
import { openTypesetter } from '../typesetting/typesetter.ts';
import type { PdfAnswer, PdfTask } from './pdf-worker.ts';

const typesetter = openTypesetter();
let thumbnailer: Promise<Thumbnailer> | undefined;

process.on('message', async (task: PdfTask) => process.send!(await answerTo(task)));
// The parent process has ended.
process.on('disconnect', () => process.exit());

async function answerTo(task: PdfTask): Promise<PdfAnswer> {
  try {
    if ('part' in task) return { file: typesetter.typeset(task.part) };
    thumbnailer ??= openThumbnailer();
    return (await thumbnailer).thumbnail(task.picture);
  } catch (error) {
    // After a breakdown every later picture would seem damaged, so the process ends.
    if (isBreakdown(error)) throw error;
    // The message may quote the document, so only its first line is passed on.
    return {
      problem: String((error as Error).message)
        .split('\n')[0]!
        .slice(0, 200),
    };
  }
}
