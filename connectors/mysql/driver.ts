import type { Socket } from 'node:net';
import type { Connection as RawConnection } from 'mysql2';
import mysql, {
  type ConnectionOptions,
  type FieldPacket,
  type Pool,
  type PoolConnection,
  type ResultSetHeader,
} from 'mysql2/promise';
import { type ConnectorContext, limits } from '../contract.ts';
import type { Statement } from '../sql/dialect.ts';
import {
  GatheredRows,
  notAQuery,
  type RowsOutcome,
  type SqlDriver,
  type Unanswered,
  watchAnswer,
} from '../sql/driver.ts';
import { type SqlServer, serverName, tlsOptions } from '../sql/server.ts';
import { commandBytesMax, guardReading, loggedIn, serverSocket } from '../sql/server-socket.ts';
import { type Session, sessionDriver } from '../sql/sessions.ts';
import { mysqlDialect } from './dialect.ts';
import { mysqlFault } from './errors.ts';
import { mysqlRights } from './rights.ts';
import { type MysqlValue, mysqlText } from './text.ts';

const readersMax = 4;
const writersMax = 2;
const connectTimeoutMs = 10_000;
const lockWaitSeconds = 10;

/**
 * The same session on every server. MariaDB and MySQL call the statement limit differently; each
 * reads its own comment and skips the other's. `sql_select_limit` also bounds handwritten queries.
 */
const session = (timeoutMs: number) =>
  `SET SESSION time_zone = '+00:00', sql_mode = CONCAT(@@sql_mode, ',STRICT_TRANS_TABLES'), ` +
  `innodb_lock_wait_timeout = ${lockWaitSeconds}, sql_select_limit = ${limits.rowsMax + 1}` +
  `/*M!100101 , max_statement_time = ${timeoutMs / 1_000} */` +
  `/*!50708 , max_execution_time = ${timeoutMs} */`;

/** Connections with the same credentials. */
interface Login {
  readonly pool: Pool;
  /** For a session beside the pool's, which may all be taken. */
  readonly options: ConnectionOptions;
  /** Has the server look at the rights anew, which it else does when somebody logs in. */
  readonly use: string;
  /** What begins a transaction. */
  readonly begin: readonly string[];
}

/** A driver for one database; `writer` may have other credentials than `reader`. */
export function openMysql(
  reader: SqlServer,
  writer: SqlServer,
  { socket, timeoutMs = limits.callTimeoutMs }: Pick<ConnectorContext, 'socket' | 'timeoutMs'>,
): SqlDriver {
  const where = serverName('MySQL', reader);
  const loginOf = (server: SqlServer, max: number, begin: readonly string[]): Login => {
    const options = connectionOptions(server, socket);
    const pool = mysql.createPool({ ...options, connectionLimit: max });
    return { pool, options, use: `USE ${mysqlDialect.quote(server.database)}`, begin };
  };
  const readers = loginOf(reader, readersMax, [
    'SET SESSION TRANSACTION READ ONLY',
    'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY',
  ]);
  const writers = loginOf(writer, writersMax, ['START TRANSACTION']);
  return sessionDriver({
    dialect: mysqlDialect,
    rights: mysqlRights,
    where,
    timeoutMs,
    reader: () => openSession(readers, where, timeoutMs),
    writer: () => openSession(writers, where, timeoutMs),
    faultOf: (error) => mysqlFault(error, where),
    async close() {
      await Promise.all([readers.pool.end(), writers.pool.end()]);
    },
  });
}

function connectionOptions(
  server: SqlServer,
  socket: (() => Socket) | undefined,
): ConnectionOptions {
  const { host, port, database, user, password } = server;
  const ssl = tlsOptions(server);
  return {
    host,
    port,
    database,
    user,
    password,
    // Without it the driver would take any host's certificate of a trusted CA.
    ...(ssl === undefined ? {} : { ssl: { ...ssl, verifyIdentity: ssl.rejectUnauthorized } }),
    stream: () => serverSocket(socket).connect(port, host),
    connectTimeout: connectTimeoutMs,
    charset: 'utf8mb4',
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    jsonStrings: true,
    rowsAsArray: true,
    multipleStatements: false,
    // LOAD DATA LOCAL lets a hostile server ask the client for files.
    flags: ['-LOCAL_FILES'],
    maxPreparedStatements: 256,
  };
}

async function openSession(
  { pool, options, use, begin }: Login,
  where: string,
  timeoutMs: number,
): Promise<Session> {
  const connection = await pool.getConnection();
  const stream = streamOf(connection);
  loggedIn(stream);
  guardReading(stream);
  const execute = (...texts: string[]) => commands(connection, texts, where);
  const failure = await execute(session(timeoutMs), use);
  return {
    run: async (statement) => failure ?? runStatement(connection, statement, where),
    begin: async () => failure ?? execute(...begin),
    commit: () => execute('COMMIT'),
    rollback: () => execute('ROLLBACK'),
    release: () => connection.release(),
    abandon() {
      const { threadId } = connection;
      connection.destroy();
      stream.destroy(); // a hostile server would go on talking
      // The server goes on working for a session that is gone until it has something to say.
      void killQuery(threadId, options);
    },
  };
}

/** Stops what a session is doing in the server, if it still is. */
async function killQuery(threadId: number, options: ConnectionOptions): Promise<void> {
  try {
    const beside = await mysql.createConnection(options);
    try {
      await beside.query(`KILL QUERY ${Number(threadId)}`);
    } finally {
      beside.destroy();
    }
  } catch {
    // The server's own limit of time ends the statement.
  }
}

async function commands(
  connection: PoolConnection,
  texts: readonly string[],
  where: string,
): Promise<Unanswered | undefined> {
  const stopWatching = watchAnswer(streamOf(connection), commandBytesMax);
  try {
    for (const text of texts) await connection.query(text);
    return undefined;
  } catch (error) {
    return { kind: 'unanswered', fault: mysqlFault(error, where) };
  } finally {
    stopWatching();
  }
}

async function runStatement(
  connection: PoolConnection,
  { text, values, rowsMax, isGuarded }: Statement,
  where: string,
): Promise<RowsOutcome> {
  try {
    if (isGuarded === true && !(await answersWithRows(connection, text))) return notAQuery(where);
    return await rowsOf(connection, text, values, rowsMax);
  } catch (error) {
    return { kind: 'unanswered', fault: mysqlFault(error, where) };
  }
}

/**
 * Whether the server says of the one statement in the text that it answers with rows. CALL, COMMIT
 * and SELECT … INTO OUTFILE do not, which a transaction that is read-only lets pass.
 */
async function answersWithRows(connection: PoolConnection, text: string): Promise<boolean> {
  // Kept by the connection, which executes it next.
  const { statement } = (await connection.prepare(text)) as unknown as {
    readonly statement: { readonly columns: readonly unknown[] };
  };
  return statement.columns.length > 0;
}

/** Row by row, so that nothing beyond the limits is kept. Fails as the driver does. */
function rowsOf(
  connection: PoolConnection,
  text: string,
  values: readonly (string | null)[],
  rowsMax: number,
): Promise<RowsOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<RowsOutcome>();
  // The promises of the package gather all rows first.
  const raw = connection.connection as unknown as RawConnection;
  const stopWatching = watchAnswer(streamOf(connection));
  let gathered = gatheredFor([], rowsMax);
  let changed = 0;
  // A lost connection is told here, and not to the statement.
  raw.on('error', reject);
  // `execute` binds on the server; `query` would write the values into the text.
  raw
    .execute(text, [...values])
    .on('fields', (fields: readonly FieldPacket[] | undefined) => {
      gathered = gatheredFor(fields ?? [], rowsMax);
    })
    .on('result', (row: readonly MysqlValue[] | ResultSetHeader) => {
      if (Array.isArray(row)) gathered.add(row);
      else changed = (row as ResultSetHeader).affectedRows;
    })
    .on('error', reject)
    .on('end', () => resolve(gathered.outcome(changed)));
  return promise.finally(() => {
    stopWatching();
    raw.off('error', reject);
  });
}

/** What the package does not tell: the socket, below TLS. */
function streamOf(connection: PoolConnection): Socket {
  const { stream } = connection.connection as unknown as { readonly stream: Socket };
  return stream;
}

function gatheredFor(fields: readonly FieldPacket[], rowsMax: number): GatheredRows<MysqlValue> {
  const types = fields.map(({ columnType }) => columnType ?? 0);
  return new GatheredRows(
    fields.map(({ name }) => name),
    rowsMax,
    (value, column) => mysqlText(value, types[column] ?? 0),
  );
}
