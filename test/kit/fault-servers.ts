/**
 * Servers that fail in every way in which a request can fail, for tests of senders: each fault is a
 * row, with what is certain of the request.
 *
 *   const servers = await startFaultServers();
 *   const url = servers.urlOf('resets after the request');
 *   …
 *   await servers.close();
 *
 * From then on this process trusts the authority that signs the valid certificates.
 */
import { once } from 'node:events';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createTcp,
  type Server,
  type Socket,
} from 'node:net';
import { getCACertificates, setDefaultCACertificates, type TlsOptions } from 'node:tls';
import type { Certainty, Phase } from '@drawbridge/outbound/outcome.ts';
import { type Certificate, createCertificate } from './certificates.ts';

export interface Fault {
  readonly name: FaultName;
  /** What is certain of a POST to it. */
  readonly certainty: Certainty;
  readonly phase: Phase;
  readonly code: RegExp;
  /** Only a time limit shows the fault. */
  readonly isSlow?: boolean;
}

/** The least bytes of a request's body for faults that happen while it is written. */
export const largeBodyBytes = 8_000_000;

export type FaultName = (typeof rows)[number]['name'];

const rows = [
  { name: 'refuses connections', certainty: 'unsent', phase: 'connect', code: /^ECONNREFUSED$/ },
  {
    name: 'has no address',
    certainty: 'unsent',
    phase: 'resolve',
    code: /^(ENOTFOUND|EAI_AGAIN)$/,
  },
  {
    name: 'shows a certificate it signed itself',
    certainty: 'unsent',
    phase: 'tls',
    code: /^DEPTH_ZERO_SELF_SIGNED_CERT$/,
  },
  {
    name: 'shows an expired certificate',
    certainty: 'unsent',
    phase: 'tls',
    code: /^CERT_HAS_EXPIRED$/,
  },
  {
    name: 'shows the certificate of another host',
    certainty: 'unsent',
    phase: 'tls',
    code: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
  },
  {
    name: 'shows a certificate of an unknown authority',
    certainty: 'unsent',
    phase: 'tls',
    code: /^UNABLE_TO_VERIFY_LEAF_SIGNATURE$/,
  },
  { name: 'speaks no TLS', certainty: 'unsent', phase: 'tls', code: /^(EPROTO|ERR_SSL_\w+)$/ },
  { name: 'resets before the request', certainty: 'unsent', phase: 'tls', code: /^ECONNRESET$/ },
  {
    name: 'is silent before the request',
    certainty: 'unsent',
    phase: 'tls',
    code: /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/,
    isSlow: true,
  },
  {
    name: 'resets in the request',
    certainty: 'maybe-sent',
    phase: 'request',
    code: /^(ECONNRESET|EPIPE)$/,
  },
  {
    name: 'resets after the request',
    certainty: 'maybe-sent',
    phase: 'request',
    code: /^ECONNRESET$/,
  },
  {
    name: 'closes after the request',
    certainty: 'maybe-sent',
    phase: 'request',
    code: /^UND_ERR_SOCKET$/,
  },
  {
    name: 'is silent after the request',
    certainty: 'maybe-sent',
    phase: 'request',
    code: /^(UND_ERR_HEADERS_TIMEOUT|TimeoutError)$/,
    isSlow: true,
  },
  {
    name: 'answers no HTTP',
    certainty: 'maybe-sent',
    phase: 'request',
    code: /^(HPE_\w+|HTTPParserError)$/,
  },
  {
    name: 'answers with endless headers',
    certainty: 'maybe-sent',
    phase: 'request',
    code: /^UND_ERR_HEADERS_OVERFLOW$/,
  },
  { name: 'resets in the body', certainty: 'answered', phase: 'body', code: /^ECONNRESET$/ },
  {
    name: 'is silent in the body',
    certainty: 'answered',
    phase: 'body',
    code: /^(UND_ERR_BODY_TIMEOUT|TimeoutError)$/,
    isSlow: true,
  },
  { name: 'answers without end', certainty: 'answered', phase: 'body', code: /^/ },
  { name: 'redirects', certainty: 'answered', phase: 'body', code: /^/ },
] as const satisfies readonly (Omit<Fault, 'name'> & { readonly name: string })[];

/** All faults, each with what is certain of the request. */
export const faults: readonly Fault[] = rows;

export interface FaultServers {
  /** The origin of the server with this fault; any path works. */
  urlOf(name: FaultName): string;
  /** How many complete requests reached that server. */
  requests(name: FaultName): number;
  close(): Promise<void>;
}

/** Starts them all, on the loopback. */
export async function startFaultServers(): Promise<FaultServers> {
  const running = new Map<FaultName, { readonly url: string; readonly server: Server }>();
  const sockets = new Set<Socket>();
  const counts = new Map<FaultName, number>();
  const { certificates, trust } = createCertificates();
  trust();
  for (const { name } of rows) {
    const heard = () => counts.set(name, (counts.get(name) ?? 0) + 1);
    const { server, scheme, host = 'localhost' } = serverOf(name, certificates, heard);
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    });
    server.on('tlsClientError', () => {});
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const told = name === 'refuses connections' ? await closedPort(port, sockets) : port;
    running.set(name, { url: `${scheme}://${host}:${told}`, server });
  }
  return {
    urlOf: (name) => running.get(name)!.url,
    requests: (name) => counts.get(name) ?? 0,
    close: async () => {
      for (const { server } of running.values()) server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/**
 * A port that nobody listens on, nor can while the sockets are open: the near end of a connection.
 * One that a server has just closed may be another process's server a moment later.
 */
async function closedPort(server: number, sockets: Set<Socket>): Promise<number> {
  const socket = connect(server, '127.0.0.1');
  await once(socket, 'connect');
  sockets.add(socket);
  return socket.localPort!;
}

interface Served {
  readonly server: Server;
  readonly scheme: 'http' | 'https';
  readonly host?: string;
}

function serverOf(name: FaultName, certificates: Certificates, heard: () => void): Served {
  const answers = (listener: RequestListener): Served => ({
    server: createHttp((request, response) => {
      request.on('end', () => {
        heard();
        listener(request, response);
      });
      request.resume();
    }),
    scheme: 'http',
  });
  const secured = (options: TlsOptions): Served => ({
    server: createHttps(options, (request, response) => {
      heard();
      request.resume();
      response.end();
    }),
    scheme: 'https',
  });
  const talks = (scheme: 'http' | 'https', talk: (socket: Socket) => void): Served => ({
    server: createTcp(talk),
    scheme,
  });
  switch (name) {
    case 'refuses connections':
      return { ...talks('http', () => {}), host: '127.0.0.1' };
    case 'has no address':
      return { ...talks('http', () => {}), host: 'nobody.invalid' };
    case 'shows a certificate it signed itself':
      return secured(certificates.selfSigned);
    case 'shows an expired certificate':
      return secured(certificates.expired);
    case 'shows the certificate of another host':
      return secured(certificates.otherHost);
    case 'shows a certificate of an unknown authority':
      return secured(certificates.unknown);
    case 'speaks no TLS':
      return { ...answers((_, response) => response.end()), scheme: 'https' };
    case 'resets before the request':
      return talks('https', (socket) => socket.once('data', () => socket.resetAndDestroy()));
    case 'is silent before the request':
      return talks('https', () => {});
    case 'resets in the request':
      return talks('http', (socket) => socket.once('data', () => socket.resetAndDestroy()));
    case 'resets after the request':
      return answers(({ socket }) => socket.resetAndDestroy());
    case 'closes after the request':
      return answers(({ socket }) => socket.end());
    case 'is silent after the request':
      return answers(() => {});
    case 'answers no HTTP':
      return answers(({ socket }) => socket.write('SSH-2.0-OpenSSH_9.2\r\n'));
    case 'answers with endless headers':
      return answers(({ socket }) => {
        const more = (error?: Error | null) => {
          if (!error) socket.write(`x: ${'y'.repeat(10_000)}\r\n`, more);
        };
        socket.write('HTTP/1.1 200 OK\r\n', more);
      });
    case 'resets in the body':
      return answers(({ socket }, response) => {
        response.writeHead(200, { 'content-length': '100' });
        // Sent before the reset, because otherwise the reset overtakes it.
        response.write('{"', () => setTimeout(() => socket.resetAndDestroy(), 50));
      });
    case 'is silent in the body':
      return answers((_, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"');
      });
    case 'answers without end':
      return answers((_, response) => {
        const more = (error?: Error | null) => {
          if (!error) response.write(Buffer.alloc(100_000, ' '), more);
        };
        more();
      });
    case 'redirects':
      return answers((_, response) => response.writeHead(307, { location: '/elsewhere' }).end());
  }
}

interface Certificates {
  readonly good: Certificate;
  readonly selfSigned: Certificate;
  readonly expired: Certificate;
  readonly otherHost: Certificate;
  readonly unknown: Certificate;
}

function createCertificates() {
  const authority = createCertificate({ name: 'Test Authority', isAuthority: true });
  const stranger = createCertificate({ name: 'Unknown Authority', isAuthority: true });
  const name = 'localhost';
  const certificates: Certificates = {
    good: createCertificate({ name, issuer: authority }),
    selfSigned: createCertificate({ name }),
    expired: createCertificate({ name, issuer: authority, daysLeft: -1 }),
    otherHost: createCertificate({ name: 'other.example', issuer: authority }),
    unknown: createCertificate({ name, issuer: stranger }),
  };
  const trust = () => setDefaultCACertificates([...getCACertificates('default'), authority.cert]);
  return { certificates, trust };
}
