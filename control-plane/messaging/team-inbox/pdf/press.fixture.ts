/** What may become of the process that prints, as the conversation's id or the picture asks for. */
import type { PressAnswer, PressTask } from './press.ts';

const held: Buffer[] = [];

process.on('message', (task: PressTask) => {
  const wish = 'part' in task ? task.part.conversationId : Buffer.from(task.picture).toString();
  if (wish === 'crash') process.abort();
  if (wish === 'exit') process.exit(3);
  if (wish === 'hang') for (;;);
  if (wish === 'grow') for (;;) held.push(Buffer.alloc(16 * 1024 * 1024, 1));
  const { pid } = process;
  answer({ file: Buffer.from(JSON.stringify({ pid, environment: process.env })) });
});
process.on('disconnect', () => process.exit());

function answer(value: PressAnswer): void {
  process.send!(value);
}
