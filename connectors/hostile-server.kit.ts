/** For tests of servers that are no databases, or hostile ones. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { methods } from '@drawbridge/link/methods.ts';
import { expect } from 'vitest';
import type { Connector, ConnectorContext } from './contract.ts';
import { connectorKind } from './registry.ts';

export interface HostileServer {
  /** A connector to it. */
  readonly connector: Connector;
  /** Connections that are open. */
  readonly open: ReadonlySet<Socket>;
  /** Connections there were. */
  connections(): number;
  /** Bytes sent on those that are closed. */
  bytesSent(): number;
  close(): Promise<void>;
}

/** Settings beside those that say where the server is, and what the connector's context has beside a clock. */
export interface HostileServerOptions {
  readonly settings?: object;
  readonly context?: Partial<ConnectorContext>;
}

/** Serves each connection so, to a connector of that kind. */
export async function startHostileServer(
  kindName: string,
  serve: (socket: Socket) => void,
  { settings: more = {}, context = {} }: HostileServerOptions = {},
): Promise<HostileServer> {
  const open = new Set<Socket>();
  let [connections, bytesSent] = [0, 0];
  const server = createServer((socket) => {
    connections += 1;
    open.add(socket.on('error', () => undefined));
    socket.on('close', () => {
      open.delete(socket);
      bytesSent += socket.bytesWritten;
    });
    serve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const kind = connectorKind(kindName)!;
  const login = { host: '127.0.0.1', port, user: 'reader', password: 'secret' };
  const place = kindName === 'imap' ? {} : { database: 'erp' };
  const settings = kind.settings.parse({ ...login, ...place, ...more });
  const connector = await kind.open(settings, {
    clock: () => new Date(),
    allowedRoots: [],
    ...context,
  });
  return {
    connector,
    open,
    connections: () => connections,
    bytesSent: () => bytesSent,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await connector.close();
    },
  };
}

/** What is carried to the control plane and shown on a terminal is little, and nothing ends the process. */
export async function expectLittle(
  kindName: string,
  serve: (socket: Socket) => void,
  settings: object = {},
): Promise<void> {
  const context = { timeoutMs: 5_000 };
  const server = await startHostileServer(kindName, serve, { settings, context });
  try {
    const outcome = await server.connector.discover!({}, AbortSignal.timeout(4_000));
    expect(JSON.stringify(outcome).length).toBeLessThan(2_000_000);
    methods['connector.discover'].result.parse(JSON.parse(JSON.stringify(outcome)));
    expect(await server.connector.test(AbortSignal.timeout(1_000))).toMatchObject({
      kind: expect.any(String),
    });
  } finally {
    await server.close();
  }
}

/** Columns of a result, and bytes that nobody should say. */
export const fourNames = ['a', 'b', 'c', 'd'] as const;
export const forged = (...bytes: readonly number[]) => Buffer.from(bytes);

/** As many pieces, one after another. */
export const many = (length: number, of: (at: number) => Buffer) =>
  Buffer.concat(Array.from({ length }, (_, at) => of(at)));
