import type { Socket } from 'node:net';
import pg from 'pg';
import { limits } from '../contract.ts';
import { abortFault } from '../fault.ts';
import type { Statement } from '../sql/dialect.ts';
import {
  borrow,
  plainRows,
  type RowsOutcome,
  type Run,
  type SqlDriver,
  type Unanswered,
} from '../sql/driver.ts';
import { type SqlServer, serverName, tlsOptions } from '../sql/server.ts';
import { postgresDialect } from './dialect.ts';
import { postgresFault } from './errors.ts';
import { postgresText } from './text.ts';

const readersMax = 4;
const writersMax = 2;
const connectTimeoutMs = 10_000;
const idleTimeoutMs = 30_000;

/** Settings that make every value's text the same whatever the server's defaults are. */
const session = [
  `statement_timeout = ${limits.readTimeoutMs}`,
  `idle_in_transaction_session_timeout = ${2 * limits.readTimeoutMs}`,
  `TimeZone = 'UTC'`,
  `DateStyle = 'ISO, YMD'`,
  `IntervalStyle = 'iso_8601'`,
  'extra_float_digits = 1',
].map((setting) => `SET ${setting}`);

/** A driver for one database; `writer` may have other credentials than `reader`. */
export function openPostgres(
  reader: SqlServer,
  writer: SqlServer,
  socket?: () => Socket,
): SqlDriver {
  const where = serverName('PostgreSQL', reader);
  const isReadOnly = 'SET default_transaction_read_only = on';
  const readers = createPool(reader, readersMax, [...session, isReadOnly], socket);
  const writers = createPool(writer, writersMax, session, socket);
  return {
    dialect: postgresDialect,
    where,
    reading: (work, signal) =>
      withClient(readers, where, signal, async (client, run) => {
        const begun = await command(
          client,
          'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
          where,
        );
        if (begun !== undefined) return begun;
        const value = await work(run);
        return (await command(client, 'ROLLBACK', where)) ?? value;
      }),
    writing: (prepare, work, signal) =>
      withClient(writers, where, signal, async (client, run) => {
        const failure = (await prepare(run)) ?? (await command(client, 'BEGIN', where));
        if (failure !== undefined) return failure;
        const { commit, value } = await work(run);
        return (await command(client, commit ? 'COMMIT' : 'ROLLBACK', where)) ?? value;
      }),
    async close() {
      await Promise.all([readers.end(), writers.end()]);
    },
  };
}

function createPool(
  server: SqlServer,
  max: number,
  statements: readonly string[],
  socket: (() => Socket) | undefined,
): pg.Pool {
  const { host, port, database, user, password } = server;
  const pool = new pg.Pool({
    host,
    port,
    database,
    user,
    password,
    ssl: tlsOptions(server) ?? false,
    ...(socket === undefined ? {} : { stream: socket }),
    max,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    allowExitOnIdle: true,
    application_name: 'drawbridge',
    onConnect: async (client: pg.ClientBase) => {
      await client.query(statements.join('; '));
    },
  });
  // An idle session that the server ends is replaced by the pool; nobody waits for it.
  pool.on('error', () => undefined);
  return pool;
}

async function withClient<T>(
  pool: pg.Pool,
  where: string,
  signal: AbortSignal,
  work: (client: pg.PoolClient, run: Run) => Promise<T | Unanswered>,
): Promise<T | Unanswered> {
  const aborted = () => ({ kind: 'unanswered', fault: abortFault(signal, where) }) as const;
  if (signal.aborted) return aborted();
  const client = await borrow(pool.connect(), signal, where, postgresFault);
  if ('kind' in client) return client;
  if (signal.aborted) {
    client.release();
    return aborted();
  }
  // Ending the session is the one way to stop a statement without opening another.
  const stop = () => client.release(true);
  signal.addEventListener('abort', stop, { once: true });
  client.on('error', ignore);
  let isWhole = false;
  try {
    const value = await work(client, (statement) => runStatement(client, statement, where));
    isWhole = true;
    return signal.aborted ? aborted() : value;
  } finally {
    signal.removeEventListener('abort', stop);
    client.off('error', ignore);
    if (!signal.aborted) client.release(!isWhole);
  }
}

function ignore(): void {
  // The statement in flight reports the lost connection; unheard, the event would end the process.
}

async function command(
  client: pg.PoolClient,
  text: string,
  where: string,
): Promise<Unanswered | undefined> {
  try {
    await client.query(text);
    return undefined;
  } catch (error) {
    return { kind: 'unanswered', fault: postgresFault(error, where) };
  }
}

async function runStatement(
  client: pg.PoolClient,
  statement: Statement,
  where: string,
): Promise<RowsOutcome> {
  try {
    if (statement.isGuarded === true) return await runGuarded(client, statement, where);
    return rowsOf(await client.query(query(statement.text, statement.values)));
  } catch (error) {
    return { kind: 'unanswered', fault: postgresFault(error, where) };
  }
}

/**
 * Behind a cursor, whose rows can be limited; in a savepoint, for the value may not be comparable.
 */
async function runGuarded(
  client: pg.PoolClient,
  { text, values, rowsMax }: Statement,
  where: string,
): Promise<RowsOutcome> {
  await client.query('SAVEPOINT guarded');
  try {
    await client.query(query(`DECLARE guarded NO SCROLL CURSOR FOR ${text}`, values));
    const result = await client.query(query(`FETCH FORWARD ${rowsMax + 1} FROM guarded`, []));
    await client.query('CLOSE guarded; RELEASE SAVEPOINT guarded');
    return rowsOf(result);
  } catch (error) {
    await client.query('ROLLBACK TO SAVEPOINT guarded');
    return { kind: 'unanswered', fault: postgresFault(error, where) };
  }
}

function query(text: string, values: readonly (string | null)[]) {
  return {
    text,
    values: [...values],
    rowMode: 'array' as const,
    // Each value as the server writes it: parsing would lose digits and microseconds.
    types: { getTypeParser: () => (value: string) => value },
  };
}

function rowsOf(result: pg.QueryArrayResult): RowsOutcome {
  const columns = result.fields.map(({ name }) => name);
  const types = result.fields.map(({ dataTypeID }) => dataTypeID);
  const rows = result.rows as readonly (readonly (string | null)[])[];
  const toText = (value: string | null, column: number) => postgresText(value, types[column] ?? 0);
  return plainRows(columns, rows, toText, result.rowCount ?? 0);
}
