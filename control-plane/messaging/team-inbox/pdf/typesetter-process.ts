/** The process that `press.ts` starts: a task comes in as a message, a file goes out as one. */
import type { PressAnswer, PressTask } from './press.ts';
import { isBreakdown, openThumbnailer, type Thumbnailer } from './thumbnail.ts';
import { openTypesetter } from './typesetter.ts';

const typesetter = openTypesetter();
let thumbnailer: Promise<Thumbnailer> | undefined;

process.on('message', async (task: PressTask) => process.send!(await answerTo(task)));
// Whoever asked is gone.
process.on('disconnect', () => process.exit());

async function answerTo(task: PressTask): Promise<PressAnswer> {
  try {
    if ('part' in task) return { file: typesetter.typeset(task.part) };
    thumbnailer ??= openThumbnailer();
    return (await thumbnailer).thumbnail(task.picture);
  } catch (error) {
    // What broke down would take every later picture for a damaged one: the process ends with it.
    if (isBreakdown(error)) throw error;
    // It may quote the text, so only its first line goes on.
    return {
      problem: String((error as Error).message)
        .split('\n')[0]!
        .slice(0, 200),
    };
  }
}
