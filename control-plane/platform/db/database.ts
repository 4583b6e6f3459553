/**
 * The database as the product sees it.    const db = await openDb({ url: appUrl });   const invoice
 * = await db.tenant(tenantId, (tx) => findInvoice(tx, tenantId, id));  `db.tenant` is one
 * transaction that sees and writes that tenant's rows only, by row-level security. `db.system` has
 * no tenant: tenant tables are empty to it, and it exists to call the SECURITY DEFINER functions
 * that look across tenants (authenticating, claiming jobs). SQL lives in store.ts files: one
 * exported function, one statement, the tenant its second argument.
 */
import pg from 'pg';
import { type Listening, openListener } from './listen.ts';
import { type Tx, transactionOn } from './tx.ts';

export interface DbOptions {
  /** Connection string of the application's role (see app-role.ts), never the owner's. */
  readonly url: string;
  readonly poolMax?: number;
  readonly statementTimeoutMs?: number;
  /** Told when a pooled connection that nobody used was lost. */
  readonly onLost?: (error: Error) => void;
}

export interface Db {
  /** One transaction inside one tenant; rolled back when `work` throws. */
  tenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** One transaction without a tenant, for SECURITY DEFINER functions. */
  system<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Hears NOTIFY on a channel; also called with '' after each (re)connect, when some may have been
   * missed.
   */
  listen(channel: string, hear: (payload: string) => void): Promise<Listening>;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const waitForConnectionMs = 10_000;

/**
 * Opens a pool. Throws when the role could bypass row-level security: the product must not start
 * so.
 */
export async function openDb(options: DbOptions): Promise<Db> {
  const { url, poolMax = 20, statementTimeoutMs = 30_000, onLost = () => {} } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: poolMax,
    connectionTimeoutMillis: waitForConnectionMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs * 2,
    application_name: 'drawbridge',
    keepAlive: true,
    // The statements of a transaction need not wait for BEGIN's answer: a round trip less.
    pipeline: true,
    types: { getTypeParser },
  } as pg.PoolConfig);
  pool.on('error', onLost);
  // A connection lost while in use fails its statements, and that is told to whoever waits for
  // them; its error event, unheard, would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  const listener = openListener(url);
  try {
    await refuseStrongRole(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    tenant: async (tenantId, work) => {
      // The id is written into the statement, so nothing but a UUID may pass.
      if (!uuid.test(tenantId)) throw new Error('a tenant id is a lower-case UUID');
      return transact(pool, `begin; set local drawbridge.tenant = '${tenantId}'`, work);
    },
    system: (work) => transact(pool, 'begin', work),
    listen: listener.listen,
    ping: async () => void (await pool.query('select 1')),
    close: async () => {
      await listener.close();
      await pool.end();
    },
  };
}

async function transact<T>(pool: pg.Pool, begin: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const tx = transactionOn(client);
  let broken = false;
  try {
    const begun = client.query(begin);
    begun.catch(() => {}); // awaited below; `work` may fail first
    const result = await work(tx);
    await begun;
    const { command } = await client.query('commit');
    // COMMIT of a transaction in which a statement failed answers ROLLBACK, without an error.
    if (command !== 'COMMIT') throw new Error('rolled back: a failed statement was passed over');
    for (const effect of tx.effects) effect();
    return result;
  } catch (error) {
    broken = await client.query('rollback').then(
      () => false,
      () => true,
    );
    throw error;
  } finally {
    client.release(broken);
  }
}

async function refuseStrongRole(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query(
    `select rolsuper or rolbypassrls
       or exists (select from pg_class where relowner = r.oid and relkind in ('r', 'p')) as strong
     from pg_roles r where rolname = current_user`,
  );
  if (rows[0]?.strong) {
    throw new Error(
      'the application must connect with a role that owns no table and cannot bypass row-level ' +
        'security; see DATABASE_APP_URL',
    );
  }
}

const { builtins } = pg.types;

/** Counts are numbers, dates stay `YYYY-MM-DD`, numeric stays text (money is never a float). */
function getTypeParser(oid: number, format?: 'text' | 'binary'): unknown {
  if (oid === builtins.INT8) return safeInteger;
  if (oid === builtins.DATE) return (text: string) => text;
  return pg.types.getTypeParser(oid, format as 'text');
}

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error('a bigint column holds more than a number can');
  return value;
}
