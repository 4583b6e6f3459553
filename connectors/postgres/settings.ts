import { type ServerSettings, serverSettings } from '../sql/server.ts';

/** Settings of a PostgreSQL source. */
export const postgresSettings = serverSettings(['postgres', 'postgresql'], 5_432);
export type PostgresSettings = ServerSettings;
