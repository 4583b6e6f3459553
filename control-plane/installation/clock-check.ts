import { readClock } from '../platform/db/clock.ts';
import type { Db } from '../platform/db/database.ts';
import type { Clock } from '../platform/ids.ts';
import { SettingsError } from '../settings.ts';

const hourMs = 3_600_000;

/**
 * Refuses to start where the clocks of node and database differ by more, before anything is given up, signed or deleted
 * by the wrong one: throws `SettingsError`.
 */
export async function checkClock(db: Db, clock: Clock, offMaxMs: number): Promise<void> {
  const database = await db.system(readClock);
  const now = clock();
  const offMs = now.getTime() - database.getTime();
  if (Math.abs(offMs) <= offMaxMs) return;
  const hours = Math.round(Math.abs(offMs) / hourMs);
  throw new SettingsError([
    `the clock of this host (${now.toISOString()}) is ${hours} hours ${offMs > 0 ? 'ahead of' : 'behind'} the one of ` +
      `the database (${database.toISOString()}): set the wrong one right (NTP), then start again`,
  ]);
}
