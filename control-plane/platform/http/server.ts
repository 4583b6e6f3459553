/**
 * The HTTP server:
 *
 *   const listening = await listen(app, { port: 8080 });
 *   console.log(listening.url);
 *   await listening.close(graceMs);
 */
import {
  createServer,
  maxHeaderSize,
  type RequestListener,
  type Server,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Where to listen; port 0 takes a free one. */
export interface ListenOptions {
  readonly port: number;
  /** Default: every address. */
  readonly host?: string;
  /** Connections beyond these are closed at once. Default: no limit. */
  readonly connectionsMax?: number;
  /** A connection was closed because there were too many. */
  readonly onRefused?: () => void;
}

/** A listening server. */
export interface Listening {
  /** `http://host:port`, as this machine reaches it. */
  readonly url: string;
  /** For other protocols than HTTP requests (`upgrade`). */
  readonly server: Server;
  /**
   * Takes no new connections, lets requests finish for at most `graceMs` milliseconds, then closes
   * all connections, including those that were upgraded to another protocol.
   */
  close(graceMs: number): Promise<void>;
}

// Longer than the idle time of common load balancers, so that they close a connection first.
const keepAliveTimeoutMs = 75_000;
const headersTimeoutMs = 15_000;
const requestTimeoutMs = 60_000;

/** Listens for HTTP; rejects when the port is taken. */
export async function listen(app: RequestListener, options: ListenOptions): Promise<Listening> {
  const server = createServer(
    {
      keepAliveTimeout: keepAliveTimeoutMs,
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
    },
    app,
  );
  server.on('request', (_, response) => {
    // Once the server is closing, a connection closes after its last answer.
    response.on('close', () => {
      if (!server.listening) setImmediate(() => server.closeIdleConnections());
    });
  });
  server.on('clientError', answerClientError);
  if (options.connectionsMax !== undefined) server.maxConnections = options.connectionsMax;
  server.on('drop', () => options.onRefused?.());
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(options.port, options.host, () => done());
  });
  const { address, port, family } = server.address() as AddressInfo;
  const isAny = address === '::' || address === '0.0.0.0';
  const host = isAny ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return {
    url: `http://${host}:${port}`,
    server,
    close: (graceMs) => close(server, sockets, graceMs),
  };
}

const refusals = {
  HPE_HEADER_OVERFLOW: [
    431,
    `Address and headers are more than ${maxHeaderSize} bytes: shorten them.`,
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive: send it again.'],
} as const;
const unreadable = [
  400,
  'This is no request of HTTP/1.1: look at the client, or the proxy before it.',
] as const;

/** Bytes that are not a request are answered like any fault: in JSON, with code and cause. */
function answerClientError({ code }: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || code === 'ECONNRESET') return void socket.destroy();
  const known = code !== undefined && Object.hasOwn(refusals, code);
  const [status, detail] = known ? refusals[code as keyof typeof refusals] : unreadable;
  const body = JSON.stringify({ detail, code: 'invalid_request' });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

async function close(server: Server, sockets: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  const closed = new Promise<void>((done) => server.close(() => done()));
  server.closeIdleConnections();
  // `closeAllConnections` does not close sockets that were upgraded.
  const timer = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, graceMs);
  await closed;
  clearTimeout(timer);
}
