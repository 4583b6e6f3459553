/** A worker process whose behaviour the conversation's id or the picture decides. */
import type { PdfAnswer, PdfTask } from './pdf-worker.ts';

const held: Buffer[] = [];

process.on('message', (task: PdfTask) => {
  const behaviour =
    'part' in task ? task.part.conversationId : Buffer.from(task.picture).toString();
  if (behaviour === 'crash') process.abort();
  if (behaviour === 'exit') process.exit(3);
  if (behaviour === 'hang') for (;;);
  if (behaviour === 'grow') for (;;) held.push(Buffer.alloc(16 * 1024 * 1024, 1));
  const { pid } = process;
  answer({ file: Buffer.from(JSON.stringify({ pid, environment: process.env })) });
});
process.on('disconnect', () => process.exit());

function answer(value: PdfAnswer): void {
  process.send!(value);
}
