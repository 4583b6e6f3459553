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

/** The pooler has no password, or another one, of the role that the application logs in with. */
class UnknownToPooler extends Error {
  readonly code = 'unknown_to_pooler';

  constructor(role: string, cause: Error) {
    super(
      `the pooler does not let ${role} in (${cause.message}): ` +
        'make a role whose password it has, and name it in DATABASE_APP_URL',
      { cause },
    );
  }
}

// PgBouncer says a refused login as a fault of the protocol, and PostgreSQL as what it is.
const loginRefused = ['08P01', '28P01'];

/** What a connection through a pooler failed with, in words that name the role where it was refused. */
export function poolerFault(error: unknown, url: string): unknown {
  const { code = '' } = error as { code?: string };
  if (!loginRefused.includes(code)) return error;
  return new UnknownToPooler(decodeURIComponent(new URL(url).username), error as Error);
}

/** Whether a pooler answers on a connection: it tells clients other process ids than the server. */
export async function isPooled(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid !== (client as pg.ClientBase & { processID: number }).processID;
}
