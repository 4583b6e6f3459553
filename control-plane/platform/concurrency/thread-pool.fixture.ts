/** What may become of a thread, as its task says. */
import { setTimeout as delay } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';

export default async function (task: unknown): Promise<unknown> {
  if (task === 'hang') for (;;);
  if (task === 'exit') process.exit(3);
  if (task === 'throw') throw new TypeError('a fault of the program');
  if (task === 'grow') {
    const held: number[][] = [];
    for (;;) held.push(Array.from({ length: 100_000 }, (_, at) => at + 0.5));
  }
  if (task instanceof SharedArrayBuffer) {
    // Tells that it has begun, and waits until it is told to end.
    const gate = new Int32Array(task);
    Atomics.store(gate, 0, 1);
    while (Atomics.load(gate, 1) === 0) await delay(1);
  }
  return { threadId, environment: process.env };
}
