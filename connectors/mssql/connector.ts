import type { ConnectorKind } from '../contract.ts';
import { openSqlConnector } from '../sql/connector.ts';
import { grantScript } from '../sql/grants.ts';
import { placesOf, serversOf, usersOf } from '../sql/server.ts';
import { sqlLayout } from '../sql/settings.ts';
import { mssqlDialect } from './dialect.ts';
import { mssqlRights } from './rights.ts';
import { type MssqlSettings, mssqlSettings } from './settings.ts';

/** Microsoft SQL Server databases, 2016 and later. */
export const mssql: ConnectorKind<MssqlSettings> = {
  kind: 'mssql',
  pattern: 'database',
  title: 'Microsoft SQL Server',
  settings: mssqlSettings,
  layout: sqlLayout,
  address: { kind: 'server', schemes: ['mssql', 'sqlserver'], port: 1_433 },
  places: placesOf,
  grants: (settings) =>
    grantScript(mssqlDialect, mssqlRights, settings, usersOf(settings, undefined)),
  async open(settings, context) {
    // Imported here: drivers are large, and most hosts use one.
    const { openMssql } = await import('./driver.ts');
    const { reader, writer } = serversOf(settings);
    return openSqlConnector(openMssql(reader, writer, settings, context), settings, context);
  },
};
