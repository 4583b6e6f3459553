import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/** What V8 calls the threads that collect garbage for all others of the process. */
const collectorName = 'V8Worker';

/**
 * Lets the thread that calls this have the processor after the thread that serves, where they share
 * one; likewise the threads that collect its garbage, which take half as much again. On Linux priorities
 * are a thread's own; elsewhere they are the process's, and stay.
 */
export function yieldProcessor(): void {
  if (process.platform !== 'linux') return;
  lower(Number(basename(readlinkSync('/proc/thread-self'))));
  for (const id of readdirSync('/proc/self/task')) {
    if (nameOf(id) === collectorName) lower(Number(id));
  }
}

function lower(threadId: number): void {
  const wanted = constants.priority.PRIORITY_BELOW_NORMAL;
  // A process that was started at a lower priority may not raise it again.
  if (getPriority(threadId) < wanted) setPriority(threadId, wanted);
}

function nameOf(threadId: string): string | undefined {
  try {
    return readFileSync(`/proc/self/task/${threadId}/comm`, 'utf8').trim();
  } catch {
    return undefined; // it has ended meanwhile
  }
}
