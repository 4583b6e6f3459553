/** What may become of the process that prints, as the conversation's id asks for. */
import type { DocumentPart } from './document.ts';
import type { PressAnswer } from './press.ts';

const held: Buffer[] = [];

process.on('message', ({ conversationId }: DocumentPart) => {
  if (conversationId === 'crash') process.abort();
  if (conversationId === 'exit') process.exit(3);
  if (conversationId === 'hang') for (;;);
  if (conversationId === 'grow') for (;;) held.push(Buffer.alloc(16 * 1024 * 1024, 1));
  const { pid } = process;
  answer({ file: Buffer.from(JSON.stringify({ pid, environment: process.env })) });
});
process.on('disconnect', () => process.exit());

function answer(value: PressAnswer): void {
  process.send!(value);
}
