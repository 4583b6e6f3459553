import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import pg from 'pg';
import { type ConnectorContext, limits } from '../contract.ts';
import type { Statement } from '../sql/dialect.ts';
import {
  GatheredRows,
  type RowsOutcome,
  type SqlDriver,
  type Unanswered,
  watchAnswer,
} from '../sql/driver.ts';
import { type SqlServer, serverName, tlsOptions } from '../sql/server.ts';
import { commandBytesMax, guardReading, loggedIn, serverSocket } from '../sql/server-socket.ts';
import { type Session, sessionDriver } from '../sql/sessions.ts';
import { postgresDialect } from './dialect.ts';
import { postgresFault } from './errors.ts';
import { postgresRights } from './rights.ts';
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

/** Sessions with the same credentials. */
interface Login {
  readonly pool: pg.Pool;
  /** A session beside the pool's, which may all be taken. */
  readonly another: () => pg.Client;
  /** What begins a transaction. */
  readonly begin: string;
}

/** A driver for one database; `writer` may have other credentials than `reader`. */
export function openPostgres(
  reader: SqlServer,
  writer: SqlServer,
  { socket, timeoutMs = limits.callTimeoutMs }: Pick<ConnectorContext, 'socket' | 'timeoutMs'>,
): SqlDriver {
  const where = serverName('PostgreSQL', reader);
  const isReadOnly = 'SET default_transaction_read_only = on';
  const loginOf = (server: SqlServer, max: number, statements: readonly string[]) => ({
    pool: createPool(server, max, statements, socket),
    another: () => new WatchedClient(clientConfig(server, socket)),
  });
  const readers = {
    ...loginOf(reader, readersMax, [...session(timeoutMs), isReadOnly]),
    begin: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
  };
  const writers = { ...loginOf(writer, writersMax, session(timeoutMs)), begin: 'BEGIN' };
  return sessionDriver({
    dialect: postgresDialect,
    rights: postgresRights,
    where,
    timeoutMs,
    reader: () => openSession(readers, where),
    writer: () => openSession(writers, where),
    faultOf: (error) => postgresFault(error, where),
    async close() {
      await Promise.all([readers.pool.end(), writers.pool.end()]);
    },
  });
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
    stream: () => serverSocket(socket),
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'drawbridge',
  };
}

/** What the package does not tell of a client. */
interface ClientInternals {
  readonly connection: EventEmitter & {
    readonly stream: Socket;
    /** Begins to read, above TLS where there is one. */
    attachListeners(stream: Socket): void;
  };
  readonly processID: number | null;
}

/** Errors that a server may tell before it is ready again; one ends a statement, another the session. */
const errorsMax = 10;

/** A client that leaves a server which does not keep to the protocol. */
class WatchedClient extends pg.Client {
  /** Below TLS. */
  readonly socket: Socket;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as ClientInternals;
    this.socket = connection.stream;
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream) => {
      guardReading(stream);
      attach(stream);
    };
    let isLoggedIn = false;
    let errors = 0;
    connection.on('readyForQuery', () => {
      isLoggedIn = true;
      errors = 0;
    });
    // The driver makes an error of each message that is none, and goes on reading.
    connection.on('errorMessage', () => {
      errors += 1;
      if (!isLoggedIn || errors > errorsMax) this.socket.destroy();
    });
  }
}

function createPool(
  server: SqlServer,
  max: number,
  statements: readonly string[],
  socket: (() => Socket) | undefined,
): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(server, socket),
    Client: WatchedClient,
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

async function openSession({ pool, another, begin }: Login, where: string): Promise<Session> {
  const client = await pool.connect();
  const { socket } = client as unknown as WatchedClient;
  loggedIn(socket);
  // Stays until the session is gone, which may be after this call.
  client.on('error', ignore);
  return {
    run: (statement) => runStatement(client, statement, where),
    begin: () => command(client, begin, where),
    commit: () => command(client, 'COMMIT', where),
    rollback: () => command(client, 'ROLLBACK', where),
    release() {
      client.off('error', ignore);
      client.release();
    },
    abandon() {
      const { processID } = client as unknown as ClientInternals;
      client.release(true);
      socket.destroy(); // a hostile server would go on talking
      // The server goes on working for a session that is gone until it has something to say.
      void cancel(processID, another());
    },
  };
}

/** Stops what a session is doing in the server, if it still is. */
async function cancel(processID: number | null, beside: pg.Client): Promise<void> {
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
  const { socket } = client as unknown as WatchedClient;
  const stopWatching = watchAnswer(socket, commandBytesMax);
  try {
    await client.query(text);
    return undefined;
  } catch (error) {
    return { kind: 'unanswered', fault: postgresFault(error, where) };
  } finally {
    stopWatching();
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
    // Of a session that is lost the first error says why.
    await client.query('ROLLBACK TO SAVEPOINT guarded').catch(ignore);
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
  const { socket } = client as unknown as WatchedClient;
  const stopWatching = watchAnswer(socket);
  client.query(query);
  return promise.finally(stopWatching);
}
