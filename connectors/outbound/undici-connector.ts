/** Apart from `network.ts`, because undici is large and the link needs none of it. */
import type { Socket } from 'node:net';
import { type ConnectError, phasedConnector } from '@drawbridge/outbound/phases.ts';
import { proxyFor } from '@drawbridge/outbound/proxy.ts';
import { buildConnector } from 'undici';
import { autoSelectFamilyAttemptTimeout, type Network, type OwnConnections } from './network.ts';
import { openTunnel } from './tunnel.ts';

/** The connector of undici that keeps to the network. */
export function connectorThrough(
  network: Network | undefined,
  timeoutMs: number,
  own: OwnConnections = {},
): buildConnector.connector {
  const options = { timeout: timeoutMs, allowH2: false, autoSelectFamilyAttemptTimeout };
  const plain = buildConnector(options);
  let secure: buildConnector.connector | undefined;
  const connectorFor = (isTls: boolean) => {
    if (!isTls) return plain;
    const secureContext = own.secureContext ?? network?.secureContext;
    return (secure ??= secureContext ? buildConnector({ ...options, secureContext }) : plain);
  };
  if (own.socket !== undefined) {
    return phasedConnector(connectorOn(own.socket, connectorFor, timeoutMs));
  }
  return (wanted, done) => {
    const isTls = wanted.protocol === 'https:';
    const port = Number(wanted.port || (isTls ? 443 : 80));
    const destination = { host: wanted.hostname, port, isTls };
    const proxy = network && proxyFor(network.proxies, destination);
    const connect = phasedConnector(connectorFor(isTls));
    if (network === undefined || proxy === undefined) return connect(wanted, done);
    openTunnel(proxy, destination, network, timeoutMs).then(
      (socket) => {
        if (isTls) connect({ ...wanted, httpSocket: socket }, done);
        else done(null, socket);
      },
      (error: ConnectError) => done(error, null),
    );
  };
}

/** A connector whose sockets its caller makes. */
function connectorOn(
  makeSocket: () => Socket,
  connectorFor: (isTls: boolean) => buildConnector.connector,
  timeoutMs: number,
): buildConnector.connector {
  return (wanted, done) => {
    const isTls = wanted.protocol === 'https:';
    const socket = makeSocket();
    const failed = (error: Error) => done(error, null);
    socket.once('error', failed);
    socket.setTimeout(timeoutMs, () => {
      socket.destroy(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' }));
    });
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.off('error', failed);
      if (isTls) connectorFor(isTls)({ ...wanted, httpSocket: socket }, done);
      else done(null, socket);
    });
    const host = wanted.hostname.replace(/^\[(.*)\]$/, '$1');
    socket.connect(Number(wanted.port || (isTls ? 443 : 80)), host);
    // Its events tell the phases.
    return socket;
  };
}
