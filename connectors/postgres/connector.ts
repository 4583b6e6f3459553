import type { ConnectorKind } from '../contract.ts';
import { openSqlConnector } from '../sql/connector.ts';
import { grantScript } from '../sql/grants.ts';
import { placesOf, serversOf, usersOf } from '../sql/server.ts';
import { sqlLayout } from '../sql/settings.ts';
import { postgresDialect } from './dialect.ts';
import { postgresRights } from './rights.ts';
import { type PostgresSettings, postgresSettings } from './settings.ts';

/** PostgreSQL databases. */
export const postgres: ConnectorKind<PostgresSettings> = {
  kind: 'postgres',
  pattern: 'database',
  title: 'PostgreSQL',
  settings: postgresSettings,
  layout: sqlLayout,
  address: { kind: 'server', schemes: ['postgres', 'postgresql'], port: 5_432 },
  places: placesOf,
  grants: (settings) =>
    grantScript(postgresDialect, postgresRights, settings, usersOf(settings, 'public')),
  async open(settings, context) {
    // Imported here: drivers are large, and most hosts use one.
    const { openPostgres } = await import('./driver.ts');
    const { reader, writer } = serversOf(settings);
    return openSqlConnector(openPostgres(reader, writer, context), settings, context);
  },
};
