import type { Socket } from 'node:net';
import pg from 'pg';
import { type ConnectorContext, limits } from '../contract.ts';
import { abortFault, untilAborted } from '../fault.ts';
import type { Statement } from '../sql/dialect.ts';
import {
  acquireConnection,
  GatheredRows,
  type RowsOutcome,
  type RunStatement,
  type SqlDriver,
  type Unanswered,
  watchAnswer,
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
const session = (timeoutMs: number) =>
  [
    `statement_timeout = ${timeoutMs}`,
    `idle_in_transaction_session_timeout = ${2 * timeoutMs}`,
    `TimeZone = 'UTC'`,
    `DateStyle = 'ISO, YMD'`,
    `IntervalStyle = 'iso_8601'`,
    'extra_float_digits = 1',
  ].map((setting) => `SET ${setting}`);

/** What every transaction of a driver has in common. */
interface Sessions {
  readonly pool: pg.Pool;
  readonly where: string;
  readonly timeoutMs: number;
  /** A session beside the pool's, which may all be taken. */
  readonly another: () => pg.Client;
}

/** A driver for one database; `writer` may have other credentials than `reader`. */
export function openPostgres(
  reader: SqlServer,
  writer: SqlServer,
  { socket, timeoutMs = limits.callTimeoutMs }: Pick<ConnectorContext, 'socket' | 'timeoutMs'>,
): SqlDriver {
  const where = serverName('PostgreSQL', reader);
  const isReadOnly = 'SET default_transaction_read_only = on';
  const sessionsOf = (server: SqlServer, max: number, statements: readonly string[]): Sessions => ({
    pool: createPool(server, max, statements, socket),
    where,
    timeoutMs,
    another: () => new pg.Client(clientConfig(server, socket)),
  });
  const readers = sessionsOf(reader, readersMax, [...session(timeoutMs), isReadOnly]);
  const writers = sessionsOf(writer, writersMax, session(timeoutMs));
  return {
    dialect: postgresDialect,
    where,
    timeoutMs,
    inReadTransaction: (work, signal) =>
      withClient(readers, signal, async (client, run) => {
        const begun = await command(
          client,
          'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
          where,
        );
        if (begun !== undefined) return begun;
        const value = await work(run);
        return (await command(client, 'ROLLBACK', where)) ?? value;
      }),
    inWriteTransaction: (prepare, work, signal) =>
      withClient(writers, signal, async (client, run) => {
        const failure = (await prepare(run)) ?? (await command(client, 'BEGIN', where));
        if (failure !== undefined) return failure;
        const { commit, value } = await work(run);
        return (await command(client, commit ? 'COMMIT' : 'ROLLBACK', where)) ?? value;
      }),
    async close() {
      await Promise.all([readers.pool.end(), writers.pool.end()]);
    },
  };
}

function clientConfig(server: SqlServer, socket: (() => Socket) | undefined): pg.ClientConfig {
  const { host, port, database, user, password } = server;
  return {
    host,
    port,
    database,
    user,
    password,
    ssl: tlsOptions(server) ?? false,
    ...(socket === undefined ? {} : { stream: socket }),
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'drawbridge',
  };
}

function createPool(
  server: SqlServer,
  max: number,
  statements: readonly string[],
  socket: (() => Socket) | undefined,
): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(server, socket),
    max,
    idleTimeoutMillis: idleTimeoutMs,
    allowExitOnIdle: true,
    onConnect: async (client: pg.ClientBase) => {
      await client.query(statements.join('; '));
    },
  });
  // An idle session that the server ends is replaced by the pool; nobody waits for it.
  pool.on('error', () => undefined);
  return pool;
}

async function withClient<T>(
  { pool, where, timeoutMs, another }: Sessions,
  signal: AbortSignal,
  work: (client: pg.PoolClient, run: RunStatement) => Promise<T | Unanswered>,
): Promise<T | Unanswered> {
  const gaveUp = () =>
    ({ kind: 'unanswered', fault: abortFault(signal, where, timeoutMs) }) as const;
  if (signal.aborted) return gaveUp();
  const faultOf = (error: unknown) => postgresFault(error, where);
  const client = await acquireConnection(pool.connect(), signal, gaveUp, faultOf);
  if ('kind' in client) return client;
  // Stays until the session is gone, which may be after this call.
  client.on('error', ignore);
  const run: RunStatement = async (statement) =>
    signal.aborted ? gaveUp() : runStatement(client, statement, where);
  let isWhole = false;
  try {
    const value = await untilAborted(work(client, run), signal, gaveUp);
    isWhole = !signal.aborted;
    return value;
  } finally {
    if (isWhole) {
      client.off('error', ignore);
      client.release();
    } else {
      // The server goes on working for a session that is gone until it has something to say.
      void cancel(client, another()).finally(() => client.release(true));
    }
  }
}

/** Stops what the client's session is doing in the server, if it still is. */
async function cancel(client: pg.PoolClient, beside: pg.Client): Promise<void> {
  const { processID } = client as unknown as { readonly processID: number | null };
  beside.on('error', ignore);
  try {
    await beside.connect();
    await beside.query('SELECT pg_catalog.pg_cancel_backend($1)', [processID]);
  } catch {
    // The server's own limit of time ends the statement.
  } finally {
    await beside.end().catch(ignore);
  }
}

function ignore(): void {
  // The statement in flight reports the lost connection. Without a listener the event would end
  // the process.
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
    return await rowsOf(client, statement.text, statement.values, statement.rowsMax);
  } catch (error) {
    return { kind: 'unanswered', fault: postgresFault(error, where) };
  }
}

/**
 * Runs a statement behind a cursor, which the server opens for one query and for nothing else, so
 * that its rows can be limited, and in a savepoint, because the value may not be comparable.
 */
async function runGuarded(
  client: pg.PoolClient,
  { text, values, rowsMax }: Statement,
  where: string,
): Promise<RowsOutcome> {
  await client.query('SAVEPOINT guarded');
  try {
    await rowsOf(client, `DECLARE guarded NO SCROLL CURSOR FOR ${text}`, values, 0);
    const fetch = `FETCH FORWARD ${rowsMax + 1} FROM guarded`;
    const outcome = await rowsOf(client, fetch, [], rowsMax);
    await client.query('CLOSE guarded; RELEASE SAVEPOINT guarded');
    return outcome;
  } catch (error) {
    await client.query('ROLLBACK TO SAVEPOINT guarded');
    return { kind: 'unanswered', fault: postgresFault(error, where) };
  }
}

/** Row by row, so that nothing beyond the limits is kept. Fails as the driver does. */
function rowsOf(
  client: pg.PoolClient,
  text: string,
  values: readonly (string | null)[],
  rowsMax: number,
): Promise<RowsOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<RowsOutcome>();
  const config = {
    text,
    values: [...values],
    rowMode: 'array' as const,
    // The extended protocol takes one statement, whatever the text says.
    queryMode: 'extended',
    // Values stay as the server writes them: parsing would lose digits and microseconds.
    types: { getTypeParser: () => (value: string) => value },
  };
  const query = new pg.Query<(string | null)[]>(config);
  let gathered: GatheredRows<string | null> | undefined;
  const begin = ({ fields }: pg.ResultBuilder) => {
    const types = fields.map(({ dataTypeID }) => dataTypeID);
    const toText = (value: string | null, column: number) =>
      postgresText(value, types[column] ?? 0);
    return new GatheredRows(
      fields.map(({ name }) => name),
      rowsMax,
      toText,
    );
  };
  query.on('row', (row, result) => {
    gathered ??= begin(result!);
    gathered.add(row);
  });
  query.on('error', reject);
  query.on('end', (result) => resolve((gathered ?? begin(result)).outcome(result.rowCount ?? 0)));
  // What a driver does not tell: the socket behind it.
  const { connection } = client as unknown as { readonly connection: { readonly stream: Socket } };
  const stopWatching = watchAnswer(connection.stream);
  client.query(query);
  return promise.finally(stopWatching);
}
