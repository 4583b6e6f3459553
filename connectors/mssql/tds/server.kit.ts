/**
 * A server that speaks TDS 7.4 as MS-TDS describes it, for the tests of the mssql connector: it is
 * written from that description alone, and checked with FreeTDS. Behind it stands PostgreSQL.
 */
import { createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { startPostgres } from '../../../test/kit/postgres.ts';
import {
  encryption,
  type Login,
  preloginAnswer,
  preloginEncryption,
  readLogin,
  secured,
} from './login.kit.ts';
import { challengeMessage, isAuthenticated, isNegotiate } from './ntlm.kit.ts';
import { type Message, packetTypes, Response, readMessages } from './packets.kit.ts';
import { Store, type StoreSession } from './store.kit.ts';
import {
  columnMetadata,
  done,
  doneTokens,
  environment,
  loginAck,
  returnStatus,
  row,
  type ServerMessage,
  serverMessage,
  sspi,
} from './tokens.kit.ts';
import { type Translated, translate } from './translation.kit.ts';
import { ParameterReader, type ValueType, valueType } from './values.kit.ts';

/** The administrator of the test server. */
export const testLogin = { user: 'sa', password: 'Tests-only-1' };

export interface TdsServer {
  readonly port: number;
  readonly store: Store;
  /** A login beside the administrator's, without rights; its name is to be unlike all others. */
  addLogin(user: string, password: string): Promise<void>;
  /** What logged in: for tests of what a client says of itself. */
  readonly seen: { appName: string; isReadOnly: boolean; isEncrypted: boolean }[];
  /** An error that answers every login from now on. */
  refuseLogins(error: ServerMessage | undefined): void;
  /** Ends all connections at once, as a server does that stops; it goes on listening. */
  dropConnections(): void;
  stop(): Promise<void>;
}

export interface TdsServerOptions {
  /** With it the server wants TLS. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** Where it listens; 127.0.0.1 unless told otherwise. */
  readonly host?: string;
}

/** Starts it with an empty database. */
export async function startTdsServer({
  tls,
  host = '127.0.0.1',
}: TdsServerOptions = {}): Promise<TdsServer> {
  const database = await startPostgres();
  const store = await Store.open(database.url);
  const logins: Context['logins'] = new Map();
  const seen: TdsServer['seen'] = [];
  let refusal: ServerMessage | undefined;
  const connections = new Map<Socket, Connection>();
  const context: Context = { store, logins, seen, tls, refusal: () => refusal };
  const server = createServer((socket) => {
    const connection = new Connection(socket, context);
    connections.set(socket, connection);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      connections.delete(socket);
      void connection.close();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as { readonly port: number };
  const dropConnections = () => {
    for (const socket of connections.keys()) socket.destroy();
  };
  return {
    port,
    store,
    async addLogin(user, password) {
      await store.addRole(user);
      logins.set(user, password);
    },
    seen,
    refuseLogins(error) {
      refusal = error;
    },
    dropConnections,
    async stop() {
      const open = [...connections.values()];
      dropConnections();
      await Promise.all(open.map((connection) => connection.close()));
      await new Promise((resolve) => server.close(resolve));
      await store.close();
      await database.stop();
    },
  };
}

interface Context {
  readonly store: Store;
  /** Passwords by user. */
  readonly logins: Map<string, string>;
  readonly seen: TdsServer['seen'];
  readonly tls: TdsServerOptions['tls'];
  refusal(): ServerMessage | undefined;
}

/** Isolation levels of a request of the transaction manager. */
const snapshot = 5;
const transactionRequests = { begin: 5, commit: 7, rollback: 8 } as const;
const executeSql = 10;
const noTransaction = Buffer.alloc(8);

/** One client. */
class Connection {
  readonly #context: Context;
  readonly #socket: Socket;
  #stream: Duplex;
  #packetBytes = 4_096;
  #session: StoreSession | undefined;
  /** A login by Windows that was asked for its proof. */
  #challenged: { readonly login: Login; readonly nonce: Buffer } | undefined;
  #transaction = 0;
  /** Requests are answered one after another; attention does not wait. */
  #queue: Promise<void> = Promise.resolve();
  #isBusy = false;
  #isCancelled = false;
  #cancelling: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(socket: Socket, context: Context) {
    this.#socket = socket;
    this.#stream = socket;
    this.#context = context;
    this.#listen(socket);
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      const session = this.#session;
      if (session === undefined) return;
      if (this.#isBusy) await this.#context.store.cancel(session.processId).catch(ignore);
      await this.#queue;
      await session.close().catch(ignore);
    })();
    return this.#closing;
  }

  #listen(stream: Duplex): void {
    this.#stream = stream;
    stream.on('error', ignore);
    readMessages(stream, (message) => {
      if (message.type === packetTypes.attention) {
        this.#attention();
        return;
      }
      this.#queue = this.#queue
        .then(() => this.#answer(message))
        .catch(() => {
          this.#socket.destroy();
        });
    });
  }

  /** The client gives up: what is at work ends, and its answer says so. */
  #attention(): void {
    if (!this.#isBusy) {
      this.#acknowledge();
      return;
    }
    this.#isCancelled = true;
    const processId = this.#session?.processId;
    if (processId === undefined) return;
    this.#cancelling = this.#context.store.cancel(processId).catch(ignore);
  }

  /** Every message of a client has an answer: attention too, beside that of the request. */
  #acknowledge(): void {
    const response = this.#response();
    response.add(done(doneTokens.batch, { isAttention: true }));
    response.end();
  }

  #response(): Response {
    return new Response(this.#stream, this.#packetBytes);
  }

  async #answer({ type, data }: Message): Promise<void> {
    if (type === packetTypes.prelogin) return this.#prelogin(data);
    const response = this.#response();
    if (type === packetTypes.login7 || type === packetTypes.sspi) {
      await (type === packetTypes.sspi ? this.#proof(data, response) : this.#login(data, response));
      response.end();
      return;
    }
    const session = this.#session;
    if (session === undefined) throw new Error('a request before the login');
    this.#isBusy = true;
    try {
      if (type === packetTypes.sqlBatch) await this.#batch(session, data, response);
      else if (type === packetTypes.rpc) await this.#rpc(session, data, response);
      else if (type === packetTypes.transactionManager) {
        await this.#manageTransaction(session, data, response);
      } else throw new Error(`a message of type ${type}`);
    } finally {
      this.#isBusy = false;
    }
    // A cancellation that is late shall not meet the next request.
    await this.#cancelling;
    const isCancelled = this.#isCancelled;
    this.#isCancelled = false;
    if (isCancelled) response.add(done(doneTokens.batch, { isError: true }));
    response.end();
    if (isCancelled) this.#acknowledge();
  }

  #prelogin(data: Buffer): void {
    const { tls } = this.#context;
    const wanted = preloginEncryption(data);
    const isWanted = wanted === encryption.on || wanted === encryption.required;
    const answered =
      tls === undefined ? encryption.notSupported : isWanted ? encryption.on : encryption.required;
    const response = this.#response();
    response.add(preloginAnswer(answered));
    response.end();
    if (tls === undefined) return;
    this.#socket.removeAllListeners('data');
    this.#listen(secured(this.#socket, tls.key, tls.cert));
  }

  async #login(data: Buffer, response: Response): Promise<void> {
    const login = readLogin(data);
    const { user, password, appName, isReadOnly } = login;
    const { logins, seen, tls } = this.#context;
    seen.push({ appName, isReadOnly, isEncrypted: tls !== undefined });
    if (login.sspi !== undefined && isNegotiate(login.sspi)) {
      const { nonce, message } = challengeMessage();
      this.#challenged = { login, nonce };
      response.add(sspi(message));
      return;
    }
    const isAdmin = user === testLogin.user && password === testLogin.password;
    const isKnown = isAdmin || (password !== '' && logins.get(user) === password);
    await this.#admit(login, response, { isKnown, role: isAdmin ? undefined : user });
  }

  /** The second message of a login by Windows: it is the administrator, or nobody. */
  async #proof(data: Buffer, response: Response): Promise<void> {
    const challenged = this.#challenged;
    if (challenged === undefined) throw new Error('a proof that nobody has asked for');
    const isKnown = isAuthenticated(data, challenged.nonce);
    await this.#admit(challenged.login, response, { isKnown, role: undefined });
  }

  async #admit(
    { user, database, packetBytes }: Login,
    response: Response,
    { isKnown, role }: { readonly isKnown: boolean; readonly role: string | undefined },
  ): Promise<void> {
    const refusal = this.#context.refusal() ?? (isKnown ? undefined : loginFailed(user));
    if (refusal !== undefined) {
      response.add(serverMessage(refusal));
      response.add(done(doneTokens.batch, { isError: true }));
      return;
    }
    this.#session = await this.#context.store.session(role);
    if (packetBytes >= 512) this.#packetBytes = Math.min(packetBytes, 32_767);
    response.add(environment.database(database || 'erp', 'master'));
    response.add(environment.collation());
    response.add(environment.language('us_english'));
    response.add(loginAck());
    response.add(environment.packetSize(this.#packetBytes, 4_096));
    response.add(done(doneTokens.batch));
  }

  async #batch(session: StoreSession, data: Buffer, response: Response): Promise<void> {
    const text = data.subarray(headersLength(data)).toString('utf16le');
    const statements = translate(text);
    const token = doneTokens.batch;
    await this.#runAll({ session, statements, values: new Map(), response, token });
    if (statements.length === 0) response.add(done(token));
  }

  async #rpc(session: StoreSession, data: Buffer, response: Response): Promise<void> {
    const reader = new ParameterReader(data, headersLength(data));
    const nameLength = reader.u16();
    const id = nameLength === 0xffff ? reader.u16() : 0;
    const name = nameLength === 0xffff ? '' : reader.text(nameLength).toLowerCase();
    if (id !== executeSql && name !== 'sp_executesql') throw new Error(`procedure ${id} ${name}`);
    reader.u16();
    const parameters: (readonly [name: string, value: string | null])[] = [];
    while (!reader.isAtEnd) {
      const parameter = reader.text(reader.u8());
      reader.u8();
      parameters.push([parameter.replace('@', ''), reader.value()]);
    }
    const [[, text] = ['', ''], , ...rest] = parameters;
    const statements = translate(text ?? '');
    const values = new Map(rest);
    const token = doneTokens.inProcedure;
    const isError = await this.#runAll({ session, statements, values, response, token });
    if (this.#isCancelled) return;
    response.add(returnStatus(isError ? 1 : 0));
    response.add(done(doneTokens.procedure, { isError }));
  }

  /** Runs statements until one fails; whether one did. */
  async #runAll(request: {
    readonly session: StoreSession;
    readonly statements: readonly Translated[];
    readonly values: ReadonlyMap<string, string | null>;
    readonly response: Response;
    readonly token: (typeof doneTokens)[keyof typeof doneTokens];
  }): Promise<boolean> {
    const { session, statements, values, response, token } = request;
    let isSkipped = false;
    for (const [index, statement] of statements.entries()) {
      if (isSkipped) {
        isSkipped = false;
        continue;
      }
      if (statement.verb === 'IF') {
        isSkipped = !(await session.isMissing(statement.source));
        if (isSkipped && index === statements.length - 2) response.add(done(token));
        continue;
      }
      const hasMore = token === doneTokens.inProcedure || index < statements.length - 1;
      const own = await this.#runOwn(session, statement, response);
      if (own) {
        response.add(done(token, { hasMore }));
        continue;
      }
      const answer = await session.run(statement, values, rowsInto(response));
      if (answer.kind === 'cancelled' || this.#isCancelled) {
        this.#isCancelled = true;
        return true;
      }
      if (answer.kind === 'failed') {
        response.add(serverMessage(answer.error));
        if (answer.isRolledBack) this.#endTransaction(response, environment.rolledBack);
        response.add(done(token, { isError: true, hasMore: token === doneTokens.inProcedure }));
        return true;
      }
      const { count } = answer;
      response.add(done(token, { hasMore, ...(count === undefined ? {} : { count }) }));
    }
    return false;
  }

  /** What the server does without its database; whether it was that. */
  async #runOwn(
    session: StoreSession,
    { verb, source }: Translated,
    response: Response,
  ): Promise<boolean> {
    if (verb === 'PRINT') {
      const message = /N?'((?:[^']|'')*)'/.exec(source)?.[1] ?? '';
      response.add(serverMessage({ number: 0, severity: 0, message }));
      return true;
    }
    if (verb === 'BEGIN' && /^BEGIN TRAN/i.test(source)) {
      await this.#begin(session, false, response);
      return true;
    }
    if (verb === 'COMMIT' || (verb === 'ROLLBACK' && session.isInTransaction)) {
      await this.#end(session, verb === 'COMMIT', response);
      return true;
    }
    // Options of the session, which change nothing that is looked at here.
    return verb === 'SET' || verb === 'USE';
  }

  async #manageTransaction(session: StoreSession, data: Buffer, response: Response): Promise<void> {
    const at = headersLength(data);
    const request = data.readUInt16LE(at);
    if (request === transactionRequests.begin) {
      await this.#begin(session, data.readUInt8(at + 2) === snapshot, response);
    } else if (request === transactionRequests.commit || request === transactionRequests.rollback) {
      await this.#end(session, request === transactionRequests.commit, response);
    } else throw new Error(`transaction request ${request}`);
    response.add(done(doneTokens.batch));
  }

  async #begin(session: StoreSession, isSnapshot: boolean, response: Response): Promise<void> {
    await session.begin(isSnapshot);
    this.#transaction += 1;
    response.add(environment.begun(this.#descriptor()));
  }

  async #end(session: StoreSession, isCommit: boolean, response: Response): Promise<void> {
    await session.end(isCommit);
    this.#endTransaction(response, isCommit ? environment.committed : environment.rolledBack);
  }

  #endTransaction(response: Response, token: (transaction: Buffer) => Buffer): void {
    response.add(token(this.#descriptor()));
  }

  #descriptor(): Buffer {
    const descriptor = Buffer.from(noTransaction);
    descriptor.writeUInt32LE(this.#transaction);
    return descriptor;
  }
}

function ignore(): void {
  // The connection is gone, and with it whoever would have been told.
}

function loginFailed(user: string): ServerMessage {
  return { number: 18_456, severity: 14, message: `Login failed for user '${user}'.` };
}

/** Requests begin with headers, and these with their length. */
function headersLength(data: Buffer): number {
  return data.readUInt32LE(0);
}

function rowsInto(response: Response) {
  let types: readonly ValueType[] = [];
  return {
    columns(columns: readonly { readonly name: string; readonly type: string }[]) {
      types = columns.map(({ type }) => valueType(type));
      const tokens = columns.map(({ name }, index) => {
        return { name, typeInfo: types[index]?.typeInfo ?? Buffer.alloc(0) };
      });
      response.add(columnMetadata(tokens));
    },
    row(values: readonly (string | null)[]) {
      const encoded = values.map((value, index) =>
        value === null ? undefined : types[index]?.encode(value),
      );
      response.add(
        row(
          encoded,
          types.map(({ nullValue }) => nullValue),
        ),
      );
    },
  };
}
