import type { ConnectorKind } from '../contract.ts';
import { openSqlConnector } from '../sql/connector.ts';
import { grantScript } from '../sql/grants.ts';
import { placesOf, serversOf, usersOf } from '../sql/server.ts';
import { sqlLayout } from '../sql/settings.ts';
import { mysqlDialect } from './dialect.ts';
import { mysqlRights } from './rights.ts';
import { type MysqlSettings, mysqlSettings } from './settings.ts';

/** MySQL and MariaDB databases. */
export const mysql: ConnectorKind<MysqlSettings> = {
  kind: 'mysql',
  pattern: 'database',
  title: 'MySQL or MariaDB',
  settings: mysqlSettings,
  layout: sqlLayout,
  address: { kind: 'server', schemes: ['mysql', 'mariadb'], port: 3_306 },
  places: placesOf,
  grants: (settings) =>
    grantScript(mysqlDialect, mysqlRights, settings, usersOf(settings, undefined)),
  async open(settings, context) {
    // Imported here: drivers are large, and most hosts use one.
    const { openMysql } = await import('./driver.ts');
    const { reader, writer } = serversOf(settings);
    return openSqlConnector(openMysql(reader, writer, context), settings, context);
  },
};
