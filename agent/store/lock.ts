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
  return { release: () => void database.close() };
}

/** Whether an agent runs on this home folder. */
export function isLocked(home: string): boolean {
  const lock = takeLock(home);
  lock?.release();
  return lock === undefined;
}
