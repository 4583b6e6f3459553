/**
 * What stands before a control plane in an installation: it ends TLS and hands on bytes.
 *
 *   const front = await startTlsFront({ ...certificate, host: '127.0.0.1', to: node.url });
 *   await fetch(front.url);
 */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';

export interface TlsFront {
  readonly url: string;
  close(): Promise<void>;
}

export async function startTlsFront(
  options: TlsOptions & { readonly host: string; readonly to: string },
): Promise<TlsFront> {
  const { host, to } = options;
  const { hostname, port } = new URL(to);
  const open = new Set<Socket>();
  const server = createServer(options, (socket) => {
    const behind = connect(Number(port), hostname);
    for (const [one, other] of [
      [socket, behind],
      [behind, socket],
    ] as const) {
      open.add(one);
      one.on('error', () => {}); // a close follows
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.listen(0, host);
  await once(server, 'listening');
  const authority = host.includes(':') ? `[${host}]` : host;
  return {
    url: `https://${authority}:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
