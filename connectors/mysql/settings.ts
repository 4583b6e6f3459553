import { type ServerSettings, serverSettings } from '../sql/server.ts';

/** Settings of a MySQL or MariaDB source. */
export const mysqlSettings = serverSettings(['mysql', 'mariadb'], 3_306);
export type MysqlSettings = ServerSettings;
