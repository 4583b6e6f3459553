import type pg from 'pg';

/** A connection pooler, such as PgBouncer, stands where a session of PostgreSQL is needed. */
export class PoolerInTheWay extends Error {
  readonly code = 'pooler_in_the_way';

  constructor(setting: string, purpose: string) {
    super(
      `${setting} leads through a connection pooler, and ${purpose} needs a session of PostgreSQL: ` +
        'set DATABASE_DIRECT_URL to the same database without the pooler, as the owner',
    );
  }
}

/** Whether a pooler answers on a connection: it tells clients other process ids than the server. */
export async function isPooled(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid !== (client as pg.ClientBase & { processID: number }).processID;
}
