/** How this host reaches others: through which proxies, and by which certificates it knows them. */
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { type Destination, type Proxies, proxyFor } from '@drawbridge/outbound/proxy.ts';
import { openTunnel } from './tunnel.ts';

export interface Network {
  readonly proxies: Proxies;
  /** The trusted CAs and the least version of TLS; may be made when it is first asked for. */
  readonly secureContext: SecureContext;
}

/** What a source brings of its own: sockets that its caller makes, certificates that it trusts. */
export interface OwnConnections {
  /** Makes an unconnected socket, which may refuse an address. No proxy is used then. */
  readonly socket?: (() => Socket) | undefined;
  /** Instead of the network's. */
  readonly secureContext?: SecureContext | undefined;
}

/**
 * After so many milliseconds the next address of a name is tried. Node's own limit is less than an
 * answer from another continent may take.
 */
export const autoSelectFamilyAttemptTimeout = 1_000;

/**
 * A connection to the destination, through the proxy if it has one. With TLS the handshake has
 * begun; a failure of it is an `error` of the socket. Rejects with a `ConnectError` when the proxy
 * does not connect.
 */
export async function openConnection(
  network: Network,
  destination: Destination,
  timeoutMs: number,
): Promise<Socket> {
  const { host, port, isTls } = destination;
  const proxy = proxyFor(network.proxies, destination);
  const direct = { host, port, autoSelectFamilyAttemptTimeout };
  const tunnel = proxy && (await openTunnel(proxy, destination, network, timeoutMs));
  if (!isTls) return tunnel ?? connectTcp(direct);
  const servername = isIP(host) === 0 ? host : ''; // an address cannot be a server name
  const { secureContext } = network;
  const secure = { host, servername, secureContext, ALPNProtocols: ['http/1.1'] };
  return connectTls(tunnel ? { ...secure, socket: tunnel } : { ...direct, ...secure });
}
