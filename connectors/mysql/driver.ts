import type { Socket } from 'node:net';
import mysql, {
  type FieldPacket,
  type Pool,
  type PoolConnection,
  type PoolOptions,
} from 'mysql2/promise';
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
import { mysqlDialect } from './dialect.ts';
import { mysqlFault } from './errors.ts';
import { type MysqlValue, mysqlText } from './text.ts';

const readersMax = 4;
const writersMax = 2;
const connectTimeoutMs = 10_000;
const lockWaitSeconds = 10;

/**
 * The same session on every server. MariaDB and MySQL call the statement limit differently; each
 * reads its own comment and skips the other's. `sql_select_limit` also bounds handwritten queries.
 */
const session =
  `SET SESSION time_zone = '+00:00', sql_mode = CONCAT(@@sql_mode, ',STRICT_TRANS_TABLES'), ` +
  `innodb_lock_wait_timeout = ${lockWaitSeconds}, sql_select_limit = ${limits.rowsMax + 1}` +
  `/*M!100101 , max_statement_time = ${limits.readTimeoutMs / 1_000} */` +
  `/*!50708 , max_execution_time = ${limits.readTimeoutMs} */`;

/** A driver for one database; `writer` may have other credentials than `reader`. */
export function openMysql(reader: SqlServer, writer: SqlServer, socket?: () => Socket): SqlDriver {
  const where = serverName('MySQL', reader);
  const readers = mysql.createPool(poolOptions(reader, readersMax, socket));
  const writers = mysql.createPool(poolOptions(writer, writersMax, socket));
  return {
    dialect: mysqlDialect,
    where,
    reading: (work, signal) =>
      withConnection(readers, where, signal, async (connection, run) => {
        const begun =
          (await command(connection, 'SET SESSION TRANSACTION READ ONLY', where)) ??
          (await command(
            connection,
            'START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY',
            where,
          ));
        if (begun !== undefined) return begun;
        const value = await work(run);
        return (await command(connection, 'ROLLBACK', where)) ?? value;
      }),
    writing: (prepare, work, signal) =>
      withConnection(writers, where, signal, async (connection, run) => {
        const failure =
          (await prepare(run)) ?? (await command(connection, 'START TRANSACTION', where));
        if (failure !== undefined) return failure;
        const { commit, value } = await work(run);
        return (await command(connection, commit ? 'COMMIT' : 'ROLLBACK', where)) ?? value;
      }),
    async close() {
      await Promise.all([readers.end(), writers.end()]);
    },
  };
}

function poolOptions(
  server: SqlServer,
  connectionLimit: number,
  socket: (() => Socket) | undefined,
): PoolOptions {
  const { host, port, database, user, password } = server;
  const ssl = tlsOptions(server);
  return {
    host,
    port,
    database,
    user,
    password,
    ...(ssl === undefined ? {} : { ssl }),
    ...(socket === undefined ? {} : { stream: () => socket().connect(port, host) }),
    connectionLimit,
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

async function withConnection<T>(
  pool: Pool,
  where: string,
  signal: AbortSignal,
  work: (connection: PoolConnection, run: Run) => Promise<T | Unanswered>,
): Promise<T | Unanswered> {
  const aborted = () => ({ kind: 'unanswered', fault: abortFault(signal, where) }) as const;
  if (signal.aborted) return aborted();
  const connection = await borrow(pool.getConnection(), signal, where, mysqlFault);
  if ('kind' in connection) return connection;
  if (signal.aborted) {
    connection.release();
    return aborted();
  }
  // Ending the session is the one way to stop a statement without opening another.
  const gaveUp = Promise.withResolvers<Unanswered>();
  const stop = () => {
    connection.destroy();
    // The driver leaves the statement of a destroyed connection without an answer.
    gaveUp.resolve(aborted());
  };
  signal.addEventListener('abort', stop, { once: true });
  let isWhole = false;
  try {
    const prepared = await Promise.race([command(connection, session, where), gaveUp.promise]);
    if (prepared !== undefined) return prepared;
    const run: Run = (statement) =>
      Promise.race([runStatement(connection, statement, where), gaveUp.promise]);
    const value = await Promise.race([work(connection, run), gaveUp.promise]);
    isWhole = true;
    return value;
  } finally {
    signal.removeEventListener('abort', stop);
    if (isWhole && !signal.aborted) connection.release();
    else connection.destroy();
  }
}

async function command(
  connection: PoolConnection,
  text: string,
  where: string,
): Promise<Unanswered | undefined> {
  try {
    await connection.query(text);
    return undefined;
  } catch (error) {
    return { kind: 'unanswered', fault: mysqlFault(error, where) };
  }
}

async function runStatement(
  connection: PoolConnection,
  { text, values }: Statement,
  where: string,
): Promise<RowsOutcome> {
  try {
    // `execute` binds on the server; `query` would write the values into the text.
    const [result, fields] = await connection.execute(text, [...values]);
    if (!Array.isArray(result)) {
      return { kind: 'rows', columns: [], rows: [], changed: result.affectedRows };
    }
    return rowsOf(result as unknown as readonly (readonly MysqlValue[])[], fields);
  } catch (error) {
    return { kind: 'unanswered', fault: mysqlFault(error, where) };
  }
}

function rowsOf(
  rows: readonly (readonly MysqlValue[])[],
  fields: readonly FieldPacket[],
): RowsOutcome {
  const columns = fields.map(({ name }) => name);
  const types = fields.map(({ columnType }) => columnType ?? 0);
  return plainRows(columns, rows, (value, column) => mysqlText(value, types[column] ?? 0), 0);
}
