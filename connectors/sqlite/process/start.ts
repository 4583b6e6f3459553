import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { isSea } from 'node:sea';

/** An agent that is one file starts itself with this argument. */
export const sqliteProcessArgument = 'sqlite-process';

/**
 * Starts the process that works with SQLite files, without our environment variables, which hold
 * secrets.
 */
export function startSqliteProcess(): ChildProcess {
  const program = isSea()
    ? [sqliteProcessArgument]
    : ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'program.ts')];
  return spawn(process.execPath, program, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    env: {},
  });
}
