/**
 * A proxy that opens TLS, as companies have them: to each host it shows a certificate of its own CA, and
 * reads and may change all that passes. It reaches every name on this host.
 *
 *   const proxy = await startOpeningProxy({ ca, trusted: ca.cert });
 *   proxy.seen; // what was said, in clear text
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { type Certificate, createCertificate } from './certificates.ts';

export interface OpeningProxy {
  readonly url: string;
  /** All that it has read, both ways. */
  seen: string;
  /** Changes bytes on their way; undefined: as they are. */
  change: ((bytes: Buffer, from: 'client' | 'server') => Buffer) | undefined;
  /** Answers in place of the server when it returns a text. */
  answer: ((request: string) => string | undefined) | undefined;
  close(): Promise<void>;
}

export async function startOpeningProxy(options: {
  /** Signs what it shows. */
  readonly ca: Certificate;
  /** By which it knows the servers, PEM. */
  readonly trusted: string;
}): Promise<OpeningProxy> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) =>
    sockets.add(
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket)),
    );
  const server = createServer();
  const proxy: OpeningProxy = {
    url: '',
    seen: '',
    change: undefined,
    answer: undefined,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    const [host = '', port] = request.url!.split(':');
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    const { key, cert } = createCertificate({ name: host, hosts: [host], issuer: options.ca });
    const client = new TLSSocket(socket, { isServer: true, key, cert });
    const behind = connectTls({
      host: '127.0.0.1',
      port: Number(port),
      servername: host,
      ca: options.trusted,
    });
    for (const each of [socket, client, behind]) keep(each);
    client.on('data', (bytes) => {
      proxy.seen += bytes.toString('latin1');
      const answer = proxy.answer?.(bytes.toString('latin1'));
      if (answer !== undefined) return client.write(answer);
      return behind.write(proxy.change?.(bytes, 'client') ?? bytes);
    });
    behind.on('data', (bytes) => {
      proxy.seen += bytes.toString('latin1');
      client.write(proxy.change?.(bytes, 'server') ?? bytes);
    });
    client.on('close', () => behind.destroy());
    behind.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
}
