import { join, resolve } from 'node:path';
import { makeFolder } from '@drawbridge/connectors/make-folder.ts';
import { type Db, openDb } from '../platform/db/database.ts';
import { startEmbedded } from '../platform/db/embedded.ts';
import { migrate } from '../platform/db/migrate.ts';
import type { Log } from '../platform/log/log.ts';
import { type Settings, SettingsError } from '../settings.ts';

export interface MigratedDatabase {
  readonly db: Db;
  /** True when it is the server under DRAWBRIDGE_HOME. */
  readonly isEmbedded: boolean;
  /** Migrations that this start applied. */
  readonly applied: readonly string[];
  /** Why the embedded server does not run; undefined when it does, and for any other database. */
  fault(): string | undefined;
  close(): Promise<void>;
}

const migrationsFolder = join(import.meta.dirname, '../migrations');

/**
 * Opens the database that the settings name, or starts the embedded one; migrates it, and connects
 * as the application's role. `alone` is for a process that keeps running: it does not join the
 * embedded server of another process, which ends with that process, but waits for its end.
 */
export async function openMigratedDatabase(
  settings: Settings,
  log: Log,
  { alone = false } = {},
): Promise<MigratedDatabase> {
  if (settings.databaseDirectUrl !== undefined && settings.databaseUrl === undefined) {
    throw new SettingsError(['DATABASE_DIRECT_URL goes with a DATABASE_URL, which is not set']);
  }
  const ownerUrl = settings.databaseDirectUrl ?? settings.databaseUrl;
  const isBare = ownerUrl !== undefined && new URL(ownerUrl).password === '';
  if (isBare && settings.databaseAppUrl === undefined) {
    throw new SettingsError([
      'DATABASE_URL has no password to derive the application role from: set DATABASE_APP_URL',
    ]);
  }
  makeHome(settings.home);
  const home = resolve(settings.home);
  const embedded =
    settings.databaseUrl === undefined ? await startEmbedded({ home, alone, log }) : undefined;
  try {
    const { databaseUrl, databaseDirectUrl: directUrl, databaseAppUrl: appUrl } = settings;
    const { role, applied } = await migrate({
      url: embedded?.url ?? directUrl ?? databaseUrl!,
      folder: migrationsFolder,
      log,
      ...(appUrl === undefined ? {} : { appUrl }),
      ...(directUrl === undefined ? {} : { poolerUrl: databaseUrl! }),
    });
    const db = await openDb({
      url: role.url,
      directUrl: role.directUrl,
      poolMax: settings.databasePool,
      onLost: (err) => log.warn({ err }, 'a database connection was lost'),
      onNotNotified: (err) => log.warn({ err }, 'other nodes were not notified'),
    });
    const close = async () => {
      await db.close();
      await embedded?.stop();
    };
    const fault = () => embedded?.fault();
    return { db, isEmbedded: embedded !== undefined, applied, fault, close };
  } catch (error) {
    await embedded?.stop();
    throw ownerUrl === undefined ? error : namingDatabase(error, new URL(ownerUrl).host);
  }
}

/** What the system says of a connection names neither the setting nor what was asked for, and may be empty. */
function namingDatabase(error: unknown, host: string): unknown {
  const { syscall, code, message } = error as NodeJS.ErrnoException;
  const isOfNetwork = syscall !== undefined || error instanceof AggregateError;
  if (!isOfNetwork) return error;
  return new SettingsError([
    `DATABASE_URL: the database at ${host} does not answer (${message || code}); see that it runs, and the way to it`,
  ]);
}

function makeHome(home: string): void {
  try {
    makeFolder(home, 0o711);
  } catch (error) {
    const cause = (error as Error).message;
    throw new SettingsError([
      `DRAWBRIDGE_HOME: ${home} cannot be made (${cause}): name a folder that this user can write to`,
    ]);
  }
}
