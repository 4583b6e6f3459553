import { join } from 'node:path';
import Database from 'better-sqlite3';

/** Held by the running agent; the operating system releases it however the process ends. */
export interface Lock {
  release(): void;
}

/** Loads what locks are made with, with the rights of now. */
export function loadSqlite(): void {
  new Database(':memory:').close();
}

/** The home folders whose `running` lock this process holds. */
const held = new Set<string>();

/** Undefined when another process holds this home folder's lock of that purpose. */
export function takeLock(
  home: string,
  purpose: 'running' | 'upgrade' = 'running',
): Lock | undefined {
  const database = new Database(join(home, `${purpose}.lock`), { timeout: 0 });
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    const isHeld = error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY';
    if (isHeld) return undefined;
    throw error;
  }
  if (purpose === 'running') held.add(home);
  return {
    release() {
      if (purpose === 'running') held.delete(home);
      database.close();
    },
  };
}

/** Whether another process runs the agent of this home folder. */
export function runsElsewhere(home: string): boolean {
  return !held.has(home) && isLocked(home);
}

/** Milliseconds for the processes before this one, each of which holds the lock for a few. */
const changeTimeoutMs = 30_000;

/**
 * Reads and writes files of the home folder while no other process does: what `work` read is still so when it
 * writes. It is short, and not called within itself. Throws when the lock is not free in time.
 */
export function exclusively<T>(home: string, work: () => T): T {
  const database = new Database(join(home, 'change.lock'), { timeout: changeTimeoutMs });
  try {
    database.exec('begin exclusive');
    return work();
  } finally {
    database.close();
  }
}

/** Whether an agent runs on this home folder. */
export function isLocked(home: string): boolean {
  const lock = takeLock(home);
  lock?.release();
  return lock === undefined;
}
