import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const program = join(import.meta.dirname, 'program.ts');

/**
 * Starts the process that works with SQLite files, without our environment variables, which hold
 * secrets. The one place that knows how: a product of one file starts itself with another argument.
 */
export function startSqliteProcess(): ChildProcess {
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    env: {},
  });
}
