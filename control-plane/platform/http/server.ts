/**
 * Sockets: `const listening = await listen(app, { port: 8080 })`, then `listening.url`, at last
 * `close`.
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ListenOptions {
  readonly port: number;
  /** Default: every address. */
  readonly host?: string;
}

export interface Listening {
  /** `http://host:port`, as this machine reaches it. */
  readonly url: string;
  /** For protocols beside HTTP requests (`upgrade`). */
  readonly server: Server;
  /**
   * Takes no new connections, lets requests finish for at most that long, then cuts what is left.
   */
  close(graceMs: number): Promise<void>;
}

// Longer than the idle time of common load balancers, so that it is they who close a connection.
const keepAliveTimeoutMs = 75_000;
const headersTimeoutMs = 15_000;
const requestTimeoutMs = 60_000;

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
    // Once the server is closing, a connection goes with its last answer instead of being kept
    // alive.
    response.on('close', () => {
      if (!server.listening) setImmediate(() => server.closeIdleConnections());
    });
  });
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(options.port, options.host, () => done());
  });
  const { address, port, family } = server.address() as AddressInfo;
  const isAny = address === '::' || address === '0.0.0.0';
  const host = isAny ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return { url: `http://${host}:${port}`, server, close: (graceMs) => close(server, graceMs) };
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((done) => server.close(() => done()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}
