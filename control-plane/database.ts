import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Db, openDb } from './platform/db/database.ts';
import { startEmbedded } from './platform/db/embedded.ts';
import { migrate } from './platform/db/migrate.ts';
import type { Log } from './platform/log/log.ts';
import type { Settings } from './settings.ts';

export interface Database {
  readonly db: Db;
  /** True when it is the server under DRAWBRIDGE_HOME. */
  readonly isEmbedded: boolean;
  /** Migrations that this start applied. */
  readonly applied: readonly string[];
  close(): Promise<void>;
}

const migrationsFolder = join(import.meta.dirname, 'migrations');

/**
 * The database that the settings name, or the embedded one: started, migrated, open as the
 * application's role.
 */
export async function openDatabase(settings: Settings, log: Log): Promise<Database> {
  await mkdir(settings.home, { recursive: true, mode: 0o711 });
  const home = resolve(settings.home);
  const embedded = settings.databaseUrl === undefined ? await startEmbedded({ home }) : undefined;
  try {
    const url = embedded?.url ?? settings.databaseUrl!;
    const { databaseAppUrl: appUrl } = settings;
    const { role, applied } = await migrate({
      url,
      folder: migrationsFolder,
      ...(appUrl === undefined ? {} : { appUrl }),
    });
    const db = await openDb({
      url: role.url,
      poolMax: settings.databasePool,
      onLost: (err) => log.warn({ err }, 'a database connection was lost'),
    });
    const close = async () => {
      await db.close();
      await embedded?.stop();
    };
    return { db, isEmbedded: embedded !== undefined, applied, close };
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}
