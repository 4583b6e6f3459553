import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Moves a database of the home folder, with what SQLite keeps beside it, into `quarantine/`. Returns the new path;
 * undefined where there is no such database.
 */
export function moveToQuarantine(
  home: string,
  name: 'queue' | 'bundles',
  at: Date,
): string | undefined {
  if (!existsSync(join(home, `${name}.db`))) return undefined;
  const folder = join(home, 'quarantine');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stamp = at.toISOString().replaceAll(':', '');
  for (const suffix of ['', '-wal', '-shm']) {
    try {
      renameSync(join(home, `${name}.db${suffix}`), join(folder, `${name}-${stamp}.db${suffix}`));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return join(folder, `${name}-${stamp}.db`);
}
