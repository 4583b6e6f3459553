/** How this host reaches others: through which proxies, and by which certificates it knows them. */
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { type ConnectError, phasedConnector } from '@drawbridge/outbound/phases.ts';
import { type Destination, type Proxies, proxyFor } from '@drawbridge/outbound/proxy.ts';
import { buildConnector } from 'undici';
import { openTunnel } from './tunnel.ts';

export interface Network {
  readonly proxies: Proxies;
  /** The trusted CAs and the least version of TLS. */
  readonly secureContext: SecureContext;
}

/**
 * After so many milliseconds the next address of a name is tried. Node's own limit is less than an
 * answer from another continent may take.
 */
const autoSelectFamilyAttemptTimeout = 1_000;

/**
 * A connection to the destination, through the proxy if it has one. With TLS the handshake has
 * begun; a failure of it is an `error` of the socket. Rejects with a `ConnectError` when the proxy
 * does not connect.
 */
export async function openConnection(
  { proxies, secureContext }: Network,
  destination: Destination,
  timeoutMs: number,
): Promise<Socket> {
  const { host, port, isTls } = destination;
  const proxy = proxyFor(proxies, destination);
  const direct = { host, port, autoSelectFamilyAttemptTimeout };
  const tunnel = proxy && (await openTunnel(proxy, destination, secureContext, timeoutMs));
  if (!isTls) return tunnel ?? connectTcp(direct);
  const servername = isIP(host) === 0 ? host : ''; // an address cannot be a server name
  const secure = { host, servername, secureContext, ALPNProtocols: ['http/1.1'] };
  return connectTls(tunnel ? { ...secure, socket: tunnel } : { ...direct, ...secure });
}

/** The connector of undici that keeps to the network. */
export function connectorThrough(
  network: Network | undefined,
  timeoutMs: number,
): buildConnector.connector {
  const secureContext = network?.secureContext;
  const connect = phasedConnector(
    buildConnector({
      timeout: timeoutMs,
      allowH2: false,
      autoSelectFamilyAttemptTimeout,
      ...(secureContext && { secureContext }),
    }),
  );
  if (network === undefined) return connect;
  return (options, done) => {
    const isTls = options.protocol === 'https:';
    const port = Number(options.port || (isTls ? 443 : 80));
    const destination = { host: options.hostname, port, isTls };
    const proxy = proxyFor(network.proxies, destination);
    if (proxy === undefined) return connect(options, done);
    openTunnel(proxy, destination, network.secureContext, timeoutMs).then(
      (socket) => {
        if (isTls) connect({ ...options, httpSocket: socket }, done);
        else done(null, socket);
      },
      (error: ConnectError) => done(error, null),
    );
  };
}
