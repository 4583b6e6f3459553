/**
 * Opens the database for the product.
 *
 * ```ts
 * const db = await openDb({ url: appUrl });
 * const invoice = await db.tenant(tenantId, (tx) => findInvoice(tx, tenantId, id));
 * ```
 *
 * `db.tenant` runs one transaction that sees and writes only that tenant's rows, by row-level
 * security. `db.system` has no tenant: it sees no rows of tenants, and is for calling the SECURITY
 * DEFINER functions that work across tenants (authenticating, claiming jobs).
 *
 * The tenant of a transaction is set here, by the `set local` that begins it; no store and no SQL
 * function sets it. Row-level security is a second safeguard: each statement of a store names the
 * tenant too (`test/tenant-statements.test.ts`).
 */
import { FairSemaphore } from '@drawbridge/concurrency/fair-semaphore.ts';
import { busy } from '@drawbridge/concurrency/semaphore.ts';
import pg from 'pg';
import { uuidForm } from '../ids.ts';
import { type Listening, openListener } from './listen.ts';
import { openNotifications } from './notifications.ts';
import { isPooled, PoolerInTheWay, poolerFault } from './pooler.ts';
import { type SqlValue, statementName, type Tx, transactionOn } from './tx.ts';

/** How to connect. */
export interface DbOptions {
  /** Connection string of the application's role (see app-role.ts), never the owner's. */
  readonly url: string;
  /** The same without a pooler, for LISTEN; default: `url`. */
  readonly directUrl?: string;
  readonly poolMax?: number;
  /** Called when an idle connection of the pool was lost. */
  readonly onLost?: (error: Error) => void;
  /** Called when other nodes could not be notified. */
  readonly onNotNotified?: (error: Error) => void;
}

/** The database with transactions by tenant. */
export interface Db {
  /**
   * One transaction inside one tenant; rolled back when `work` throws. One tenant alone has at most
   * two thirds of the connections at once, and the fewer the more tenants have some: what is more
   * waits, and the other tenants do not.
   */
  tenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** One transaction without a tenant, for SECURITY DEFINER functions. */
  system<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The rows of one statement without a tenant, which is a transaction by itself: half the round trips. */
  call<Row>(sql: string, values: readonly SqlValue[]): Promise<Row[]>;
  /**
   * Calls `hear` for each NOTIFY on a channel, and with '' after each (re)connect, when some may
   * have been missed.
   */
  listen(channel: string, hear: (payload: string) => void): Promise<Listening>;
  /** As `Tx.notify`, of what has committed already. */
  notify(channel: string, payload: string): void;
  /** The pool as it is now. */
  connections(): ConnectionCounts;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Connections of a pool: at work, idle, the most there may be, and how many callers wait for one. */
interface ConnectionCounts {
  readonly inUse: number;
  readonly idle: number;
  readonly max: number;
  readonly waiting: number;
}

const waitForConnectionMs = 10_000;

/**
 * Opens a pool. Throws when the role could bypass row-level security, so that the product does not
 * start, and `PoolerInTheWay` when `url` leads through a pooler and `directUrl` is not given. The time
 * limits of statements are settings of the role.
 */
export async function openDb(options: DbOptions): Promise<Db> {
  const { url, directUrl = url, poolMax = 20 } = options;
  const { onLost = () => {}, onNotNotified = () => {} } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: poolMax,
    connectionTimeoutMillis: waitForConnectionMs,
    application_name: 'drawbridge',
    keepAlive: true,
    // Pipelined: the first statement does not wait for BEGIN's answer, which saves a round trip.
    pipeline: true,
    types: { getTypeParser },
  } as pg.PoolConfig);
  pool.on('error', onLost);
  // A connection lost while in use fails its statements, so their caller learns of it. Its error
  // event needs a listener all the same, or it would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  const listener = openListener(directUrl);
  let hasPooler: boolean;
  try {
    await refuseStrongRole(pool);
    hasPooler = await leadsThroughPooler(pool);
    if (hasPooler && directUrl === url) {
      throw new PoolerInTheWay('the connection string of the application', 'LISTEN');
    }
  } catch (error) {
    await pool.end();
    throw directUrl === url ? error : poolerFault(error, url);
  }
  // A pooler gives each transaction another session, which does not know the prepared statements.
  const notifications = openNotifications(pool, listener, onNotNotified);
  const sessions = { pool, isPreparing: !hasPooler, notify: notifications.notify };
  const ofTenants = new FairSemaphore(sharedByTenants(poolMax), () =>
    AbortSignal.timeout(waitForConnectionMs),
  );
  return {
    tenant: async (tenantId, work) => {
      // The id is part of the statement's text, so it must be a UUID.
      if (!uuidForm.test(tenantId)) throw new Error('a tenant id is a lower-case UUID');
      const begin = `begin; set local drawbridge.tenant = '${tenantId}'`;
      const done = await ofTenants.run(tenantId, () => transact(sessions, begin, work));
      if (done === busy) throw shareInUse();
      return done;
    },
    system: (work) => transact(sessions, 'begin', work),
    call: async <Row>(sql: string, values: readonly SqlValue[]) => {
      const statement = {
        text: sql,
        values: [...values],
        ...(hasPooler ? {} : statementName(sql)),
      };
      return (await pool.query(statement)).rows as Row[];
    },
    listen: listener.listen,
    notify: notifications.notify,
    connections: () => {
      const { totalCount, idleCount: idle, waitingCount: waiting } = pool;
      const inUse = totalCount - idle;
      return { inUse, idle, max: poolMax, waiting: waiting + ofTenants.waiting };
    },
    ping: async () => void (await pool.query('select 1')),
    close: async () => {
      await notifications.close();
      await listener.close();
      await pool.end();
    },
  };
}

/** The rest is for work without a tenant: who calls, which jobs are due, whether the database answers. */
function sharedByTenants(poolMax: number): number {
  return Math.max(1, poolMax - Math.max(1, Math.floor(poolMax / 8)));
}

/** SQLSTATE too_many_connections: trying again later can help. */
function shareInUse(): Error {
  const error = new Error('the tenant has its share of the connections in use');
  return Object.assign(error, { code: '53300' });
}

async function leadsThroughPooler(pool: pg.Pool): Promise<boolean> {
  const client = await pool.connect();
  try {
    return await isPooled(client);
  } finally {
    client.release();
  }
}

interface Sessions {
  readonly pool: pg.Pool;
  /** Whether statements are prepared once a connection. */
  readonly isPreparing: boolean;
  readonly notify: Tx['notify'];
}

async function transact<T>(
  { pool, isPreparing, notify }: Sessions,
  begin: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  const tx = transactionOn(client, isPreparing, notify);
  let broken = false;
  try {
    const begun = client.query(begin);
    begun.catch(() => {}); // awaited below; `work` may fail first
    const result = await work(tx);
    await begun;
    const { command } = await client.query('commit');
    // When a statement failed before, COMMIT answers ROLLBACK and gives no error.
    if (command !== 'COMMIT') throw new Error('rolled back: a failed statement was passed over');
    for (const effect of tx.effects) effect();
    return result;
  } catch (error) {
    broken = await client.query('rollback').then(
      () => false,
      () => true,
    );
    throw tx.causeOf(error);
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
