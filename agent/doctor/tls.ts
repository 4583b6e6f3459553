import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { type Check, timeoutMs } from './finding.ts';

export const checkTls: Check = async ({ identity }) => {
  if (identity === undefined) return [];
  const { protocol, hostname, port } = new URL(identity.linkUrl);
  const isSecure = protocol === 'wss:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const portNumber = Number(port || (isSecure ? 443 : 80));
  const row = { component: isSecure ? 'tls' : 'tcp', target: `${host}:${portNumber}` };
  const socket: Socket = isSecure
    ? connectTls({ host, port: portNumber, servername: host })
    : connectTcp({ host, port: portNumber });
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    await once(socket, isSecure ? 'secureConnect' : 'connect', { signal });
    if (!isSecure) return [{ ...row, status: 'ok', detail: 'connected, without TLS' }];
    // The issuer shows whether a proxy decrypts the connection on the way.
    const issuer = socket instanceof TLSSocket ? socket.getPeerCertificate().issuer : undefined;
    const detail = `certificate issued by ${issuer?.O ?? issuer?.CN ?? 'an unnamed issuer'}`;
    return [{ ...row, status: 'ok', detail }];
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    const action = isSecure
      ? 'Let this host dial out to that port; a proxy that opens TLS needs its CA trusted here.'
      : 'Let this host dial out to that port.';
    return [{ ...row, status: 'fail', detail: code ?? name, action }];
  } finally {
    socket.destroy();
  }
};
