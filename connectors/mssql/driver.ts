import { once } from 'node:events';
import type { Socket } from 'node:net';
import mssql from 'mssql';
import { type ConnectorContext, limits } from '../contract.ts';
import type { Statement } from '../sql/dialect.ts';
import {
  GatheredRows,
  notAQuery,
  type Rows,
  type RowsOutcome,
  type SqlDriver,
  type Unanswered,
  type Unusable,
  watchAnswer,
} from '../sql/driver.ts';
import { type SqlServer, serverName, tlsOptions } from '../sql/server.ts';
import { type Session, sessionDriver } from '../sql/sessions.ts';
import { type GuardedConnection, guardConnection } from './connection-guard.ts';
import { mssqlDialect } from './dialect.ts';
import { mssqlFault } from './errors.ts';
import { isOneQuery } from './query.ts';
import { mssqlRights } from './rights.ts';
import type { MssqlSettings } from './settings.ts';
import { type MssqlColumn, type MssqlValue, mssqlText } from './text.ts';

const readersMax = 4;
const writersMax = 2;
const connectTimeoutMs = 10_000;
const idleTimeoutMs = 30_000;
/** Longer values are bound as NVARCHAR(MAX). */
const boundLengthMax = 4_000;

type Logins = Pick<MssqlSettings, 'instance' | 'domain'>;

/** Connections with the same credentials; the pool connects with the first that is asked for. */
interface Login {
  readonly where: string;
  connected(): Promise<mssql.ConnectionPool>;
  /** The isolation that its transactions have. */
  isolation(pool: mssql.ConnectionPool): Promise<mssql.IIsolationLevel>;
  close(): Promise<void>;
}

/** A driver for one database; `writer` may have other credentials than `reader`. */
export function openMssql(
  reader: SqlServer,
  writer: SqlServer,
  logins: Logins,
  { socket, timeoutMs = limits.callTimeoutMs }: Pick<ConnectorContext, 'socket' | 'timeoutMs'>,
): SqlDriver {
  const where = serverName('SQL Server', reader);
  const config = (server: SqlServer, max: number, isReader: boolean) =>
    poolConfig({ server, logins, max, isReader, timeoutMs }, socket);
  const snapshots = createSnapshotCheck();
  // The package takes `host\\instance` for a host, too.
  const isNamed = logins.instance !== undefined || reader.host.includes('\\');
  const open = async (login: Login) => {
    // The Browser would be asked by UDP, past whoever decides which addresses may be reached.
    if (socket !== undefined && isNamed) throw browserUnasked;
    return openSession(login);
  };
  const readers = createLogin(config(reader, readersMax, true), where, snapshots.isolation);
  const writers = createLogin(
    config(writer, writersMax, false),
    where,
    async () => mssql.ISOLATION_LEVEL.READ_COMMITTED,
  );
  return sessionDriver({
    dialect: mssqlDialect,
    rights: mssqlRights,
    where,
    timeoutMs,
    reader: () => open(readers),
    writer: () => open(writers),
    faultOf: (error) => mssqlFault(error, where),
    async close() {
      await Promise.all([readers.close(), writers.close()]);
    },
    note: () => (snapshots.isAllowed() === false ? withoutSnapshots(reader.database) : undefined),
  });
}

const browserUnasked = Object.assign(new Error('no Browser is asked from here'), {
  code: 'EBROWSER',
});

function withoutSnapshots(database: string): string {
  const statement = `ALTER DATABASE ${mssqlDialect.quote(database)} SET ALLOW_SNAPSHOT_ISOLATION ON`;
  return (
    'Header and lines of a document may be of different moments, because the database does not ' +
    `allow snapshots: an administrator allows them by ${statement}.`
  );
}

/** Learns whether the database lets a transaction see one state of it without locks. */
function createSnapshotCheck() {
  let isAllowed: boolean | undefined;
  return {
    isAllowed: () => isAllowed,
    async isolation(pool: mssql.ConnectionPool): Promise<mssql.IIsolationLevel> {
      if (isAllowed === undefined) {
        const request = new mssql.Request(pool);
        const text =
          'SELECT snapshot_isolation_state FROM sys.databases WHERE database_id = DB_ID()';
        const { rows } = await gather(request, text, 1);
        isAllowed = rows[0]?.[0] === '1';
      }
      const { SNAPSHOT, READ_COMMITTED } = mssql.ISOLATION_LEVEL;
      return isAllowed ? SNAPSHOT : READ_COMMITTED;
    },
  };
}

function poolConfig(
  options: {
    readonly server: SqlServer;
    readonly logins: Logins;
    readonly max: number;
    readonly isReader: boolean;
    readonly timeoutMs: number;
  },
  socket: (() => Socket) | undefined,
): mssql.config {
  const { server, logins, max, isReader, timeoutMs } = options;
  const { host, port, database, user, password } = server;
  const { rejectUnauthorized = true, ...credentials } = tlsOptions(server) ?? {};
  return {
    server: host,
    port,
    database,
    user,
    password,
    // The driver signs for the name in capitals, and sends it as it is given: both are to be the same.
    ...(logins.domain === undefined ? {} : { domain: logins.domain.toUpperCase() }),
    pool: { max, min: 0, idleTimeoutMillis: idleTimeoutMs, acquireTimeoutMillis: timeoutMs },
    connectionTimeout: connectTimeoutMs,
    requestTimeout: timeoutMs,
    stream: true,
    arrayRowMode: true,
    validateConnection: 'socket',
    options: {
      appName: 'drawbridge',
      encrypt: server.tls !== 'off',
      trustServerCertificate: !rejectUnauthorized,
      cryptoCredentialsDetails: credentials,
      useUTC: true,
      readOnlyIntent: isReader,
      // Longer values arrive cut off, and are then refused as too long.
      textsize: 2 * limits.valueBytesMax + 4,
      maxRetriesOnTransientErrors: 0,
      ...(logins.instance === undefined ? {} : { instanceName: logins.instance }),
      ...(socket === undefined ? {} : { connector: connectBy(socket) }),
    },
  } as mssql.config;
}

/** How tedious connects where the caller decides which addresses may be reached. */
function connectBy(socket: () => Socket) {
  return async (
    address: { readonly host: string; readonly port: number },
    _lookup: unknown,
    signal: AbortSignal,
  ): Promise<Socket> => {
    const connecting = socket();
    connecting.connect(address.port, address.host);
    try {
      await once(connecting, 'connect', { signal });
      return connecting;
    } catch (error) {
      connecting.destroy();
      throw error;
    }
  };
}

function createLogin(config: mssql.config, where: string, isolation: Login['isolation']): Login {
  let connecting: Promise<mssql.ConnectionPool> | undefined;
  const connect = async () => {
    let refusal: { readonly message: string; readonly number: number } | undefined;
    const pool = new mssql.ConnectionPool({
      ...config,
      // The error of a refused login does not carry the number that says why.
      beforeConnect(connection) {
        guardConnection(connection as unknown as GuardedConnection);
        const events = connection as unknown as NodeJS.EventEmitter;
        events.on('errorMessage', (told: typeof refusal) => {
          refusal = told;
        });
      },
    });
    // A session that ends while nobody uses it is replaced by the pool.
    pool.on('error', ignore);
    try {
      return await pool.connect();
    } catch (error) {
      void pool.close();
      throw Object.assign(error as Error, refusal && { number: refusal.number });
    }
  };
  return {
    where,
    isolation,
    connected() {
      connecting ??= connect().catch((error: unknown) => {
        // The next call tries again.
        connecting = undefined;
        throw error;
      });
      return connecting;
    },
    async close() {
      await connecting?.then((pool) => pool.close()).catch(ignore);
    },
  };
}

async function openSession({ connected, isolation, where }: Login): Promise<Session> {
  const pool = await connected();
  const transaction = new mssql.Transaction(pool);
  // The server rolls back by itself when it chooses this session to end a deadlock.
  let isOpen = false;
  transaction.on('rollback', () => {
    isOpen = false;
  });
  let current: mssql.Request | undefined;
  let working: Promise<unknown> = Promise.resolve();
  const attempt = (work: () => Promise<unknown>): Promise<Unanswered | undefined> => {
    const done = work().then(
      () => undefined,
      (error: unknown): Unanswered => ({ kind: 'unanswered', fault: mssqlFault(error, where) }),
    );
    working = done;
    return done;
  };
  const end = (how: 'commit' | 'rollback') =>
    attempt(async () => {
      // Also a caller who gave up comes here, and then the call that it gave up.
      const wasOpen = isOpen;
      isOpen = false;
      if (wasOpen) await transaction[how]();
    });
  const rollback = () => end('rollback');
  return {
    run(statement) {
      current = isOpen ? new mssql.Request(transaction) : new mssql.Request(pool);
      const stopWatching = isOpen ? watchAnswer(socketOf(transaction)) : ignore;
      const answer = runStatement(current, statement, where).finally(stopWatching);
      working = answer;
      return answer;
    },
    begin: () =>
      attempt(async () => {
        await transaction.begin(await isolation(pool));
        isOpen = true;
      }),
    commit: () => end('commit'),
    rollback,
    release() {
      if (isOpen) void rollback();
    },
    abandon() {
      // Attention: the server stops what it does for this session. Then there is something to undo.
      current?.cancel();
      void working.then(rollback, rollback);
    },
  };
}

/** What the package does not tell: the socket of a transaction's session. */
function socketOf(transaction: mssql.Transaction): Socket {
  const { _acquiredConnection } = transaction as unknown as {
    readonly _acquiredConnection: { readonly socket: Socket };
  };
  return _acquiredConnection.socket;
}

function ignore(): void {
  // Whoever waits for a statement of the session hears of it there.
}

async function runStatement(
  request: mssql.Request,
  { text, values, rowsMax, isGuarded }: Statement,
  where: string,
): Promise<RowsOutcome> {
  if (isGuarded === true && !isOneQuery(text)) return notAQuery(where);
  for (const [index, value] of values.entries()) {
    const length = (value ?? '').length > boundLengthMax ? mssql.MAX : boundLengthMax;
    request.input(`p${index + 1}`, mssql.NVarChar(length), value);
  }
  try {
    const { answers, outcome } = await answerOf(request, text, rowsMax);
    return isGuarded === true && answers !== 1 ? notAQuery(where) : outcome;
  } catch (error) {
    return { kind: 'unanswered', fault: mssqlFault(error, where) };
  }
}

async function gather(request: mssql.Request, text: string, rowsMax: number): Promise<Rows> {
  const { outcome } = await answerOf(request, text, rowsMax);
  if (outcome.kind === 'rows') return outcome;
  throw new Error(outcome.fault.message);
}

/** Row by row, so that nothing beyond the limits is kept. Fails as the driver does. */
async function answerOf(
  request: mssql.Request,
  text: string,
  rowsMax: number,
): Promise<{ readonly answers: number; readonly outcome: Rows | Unusable }> {
  let gathered = new GatheredRows<MssqlValue>([], rowsMax, () => null);
  let answers = 0;
  let changed = 0;
  let isFull = false;
  let failure: unknown;
  const end = () => {
    isFull = true;
    request.cancel();
  };
  request.on('recordset', (columns: readonly AnsweredColumn[]) => {
    answers += 1;
    if (answers === 1) gathered = gatheredFor(columns, rowsMax);
    else end();
  });
  let isWanted = true;
  request.on('row', (row: MssqlValue[]) => {
    if (isFull) return;
    if (isWanted) isWanted = gathered.add(row);
    else end();
  });
  request.on('rowsaffected', (count: number) => {
    changed += count;
  });
  request.on('error', (error: unknown) => {
    failure ??= error;
  });
  await request.query(text);
  // A request that was ended here fails because of it.
  if (failure !== undefined && !isFull) throw failure;
  return { answers, outcome: gathered.outcome(changed) };
}

/** What the package tells of a column, and its types do not. */
interface AnsweredColumn {
  readonly name: string;
  readonly type?: { readonly declaration?: string };
  readonly scale?: number;
}

function gatheredFor(
  columns: readonly AnsweredColumn[],
  rowsMax: number,
): GatheredRows<MssqlValue> {
  const types = columns.map(({ type, scale }): MssqlColumn => {
    return { type: type?.declaration ?? '', scale: scale ?? 0 };
  });
  return new GatheredRows(
    columns.map(({ name }) => name),
    rowsMax,
    (value, column) => mssqlText(value, types[column] ?? { type: '', scale: 0 }),
  );
}
