/** Apart from `network.ts`, because undici is large and the link needs none of it. */
import { type ConnectError, phasedConnector } from '@drawbridge/outbound/phases.ts';
import { proxyFor } from '@drawbridge/outbound/proxy.ts';
import { buildConnector } from 'undici';
import { autoSelectFamilyAttemptTimeout, type Network } from './network.ts';
import { openTunnel } from './tunnel.ts';

/** The connector of undici that keeps to the network. */
export function connectorThrough(
  network: Network | undefined,
  timeoutMs: number,
): buildConnector.connector {
  const options = { timeout: timeoutMs, allowH2: false, autoSelectFamilyAttemptTimeout };
  const plain = phasedConnector(buildConnector(options));
  if (network === undefined) return plain;
  let secure: buildConnector.connector | undefined;
  const connectorFor = (isTls: boolean) => {
    if (!isTls) return plain;
    const { secureContext } = network;
    return (secure ??= phasedConnector(buildConnector({ ...options, secureContext })));
  };
  return (wanted, done) => {
    const isTls = wanted.protocol === 'https:';
    const port = Number(wanted.port || (isTls ? 443 : 80));
    const destination = { host: wanted.hostname, port, isTls };
    const proxy = proxyFor(network.proxies, destination);
    const connect = connectorFor(isTls);
    if (proxy === undefined) return connect(wanted, done);
    openTunnel(proxy, destination, network, timeoutMs).then(
      (socket) => {
        if (isTls) connect({ ...wanted, httpSocket: socket }, done);
        else done(null, socket);
      },
      (error: ConnectError) => done(error, null),
    );
  };
}
