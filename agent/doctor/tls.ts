import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { rootCertificates, TLSSocket } from 'node:tls';
import { openConnection } from '@drawbridge/connectors/outbound/network.ts';
import { destinationOf } from '@drawbridge/outbound/proxy.ts';
import { meaningOf } from '../network/faults.ts';
import type { TrustedCas } from '../network/trusted-cas.ts';
import { type Check, type CheckedFinding, timeoutMs } from './finding.ts';

/** Which CAs are trusted, and whose certificate the control plane shows. */
export const checkTls: Check = async ({ identity, network }) => {
  if (identity === undefined || network === undefined) return [];
  const destination = destinationOf(identity.linkUrl);
  const { host, port, isTls } = destination;
  const row = { component: isTls ? 'tls' : 'tcp', target: `${host}:${port}` };
  const { cas } = network;
  const trusted: CheckedFinding = {
    component: 'certificates',
    target: 'trusted CAs',
    status: 'ok',
    detail: cas.all().origins.join(', '),
  };
  const found = isTls ? [trusted] : [];
  let socket: Socket | undefined;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    socket = await openConnection(network, destination, timeoutMs);
    if (!(socket instanceof TLSSocket)) {
      if (socket.connecting) await once(socket, 'connect', { signal });
      return [{ ...row, status: 'ok', detail: 'connected, without TLS' }];
    }
    await once(socket, 'secureConnect', { signal });
    return [...found, { ...row, ...shownBy(socket, cas) }];
  } catch (error) {
    const fault = { status: 'fail', code: 'control_plane_unreachable' } as const;
    return [...found, { ...row, ...fault, detail: meaningOf(error) }];
  } finally {
    socket?.destroy();
  }
};

/**
 * Whose certificate was shown. One that vouches in no browser is of a private CA, or of a
 * proxy that opens TLS: nothing in TLS itself tells these apart.
 */
function shownBy(
  socket: TLSSocket,
  { named }: TrustedCas,
): Pick<CheckedFinding, 'status' | 'detail' | 'code'> {
  let last = socket.getPeerCertificate(true);
  const { issuer } = last;
  while (last.issuerCertificate !== undefined && last.issuerCertificate !== last) {
    last = last.issuerCertificate;
  }
  const by = issuer.O ?? issuer.CN ?? 'an unnamed CA';
  const detail = `${socket.getProtocol()}, certificate issued by ${by}`;
  if (named.has(last.fingerprint256)) return { status: 'ok', detail: `${detail}, which you named` };
  if (publicFingerprints().has(last.fingerprint256)) return { status: 'ok', detail };
  return {
    status: 'warn',
    detail: `${detail}, no public CA: a private one, or a proxy that opens TLS`,
    code: 'private_ca',
  };
}

function publicFingerprints(): ReadonlySet<string> {
  return new Set(rootCertificates.map((pem) => new X509Certificate(pem).fingerprint256));
}
