import { readdir, readFile } from 'node:fs/promises';

/** A query that ends after a minute at the earliest. */
export const endlessQuery =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000000) ' +
  'SELECT :ref AS k, max(i) AS m FROM n';

/** Whether a process that reads SQLite files for this one is at work, and not only there. */
export async function isSqliteWorking(): Promise<boolean> {
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const [stat, command] = await Promise.all(
      ['stat', 'cmdline'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
    );
    // The name may hold anything, also brackets: the state stands behind the last one.
    const [state, parent] = stat!.slice(stat!.lastIndexOf(')') + 2).split(' ');
    if (Number(parent) !== process.pid || !command!.includes('sqlite/process/')) continue;
    if (state === 'R') return true;
  }
  return false;
}
