import type { ConnectorKind } from '../contract.ts';
import { openSqlConnector } from '../sql/connector.ts';
import { sqlLayout } from '../sql/settings.ts';
import { type SqliteSettings, sqliteSettings } from './settings.ts';

/** SQLite database files. */
export const sqlite: ConnectorKind<SqliteSettings> = {
  kind: 'sqlite',
  pattern: 'database',
  title: 'SQLite database file',
  settings: sqliteSettings,
  layout: sqlLayout,
  address: { kind: 'file', mark: 'SQLite format 3\0', example: './erp.sqlite' },
  places: ({ file, writeBack }) => [
    { kind: 'path', member: 'file', path: file },
    ...(writeBack.mode === 'none' || writeBack.file === undefined
      ? []
      : [{ kind: 'path', member: 'writeBack.file', path: writeBack.file } as const]),
  ],
  isReadElsewhere: true,
  async open(settings, context) {
    // Imported here: drivers are large, and most hosts use one.
    const { openSqlite } = await import('./driver.ts');
    const { file, writeBack } = settings;
    const writerFile = writeBack.mode === 'none' ? file : (writeBack.file ?? file);
    return openSqlConnector(openSqlite(file, writerFile, context), settings, context);
  },
};
