import { isIP } from 'node:net';
import { type ServerSettings, serverSettings, serversOf } from '../sql/server.ts';

/**
 * Settings of a MySQL or MariaDB source. The driver holds certificates against host names alone: with
 * an address it would ask for one of "localhost".
 */
export const mysqlSettings = serverSettings(['mysql', 'mariadb'], 3_306).refine(
  (settings) => settings.tls !== 'verify' || isIP(serversOf(settings).reader.host) === 0,
  { message: 'of an address cannot be verified: give the host name', path: ['tls'] },
);
export type MysqlSettings = ServerSettings;
