import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';

/**
 * Lets the thread that calls this have the processor after the thread that serves, where they share
 * one. On Linux priorities are a thread's own; elsewhere they are the process's, and stay.
 */
export function yieldProcessor(): void {
  if (process.platform !== 'linux') return;
  const threadId = Number(basename(readlinkSync('/proc/thread-self')));
  setPriority(threadId, constants.priority.PRIORITY_BELOW_NORMAL);
}
