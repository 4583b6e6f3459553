import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { codeOf } from '@drawbridge/outbound/outcome.ts';
import { ConnectError } from '@drawbridge/outbound/phases.ts';
import type { Destination, ForwardProxy } from '@drawbridge/outbound/proxy.ts';

/**
 * A connection to the destination through the proxy, which hands on bytes and nothing else. Rejects
 * with a `ConnectError` that tells a person what the proxy said.
 */
export function openTunnel(
  proxy: ForwardProxy,
  destination: Destination,
  network: { readonly secureContext: SecureContext },
  timeoutMs: number,
): Promise<Socket> {
  const authority = authorityOf(destination);
  const { authorization } = proxy;
  const asked: RequestOptions = {
    method: 'CONNECT',
    host: proxy.host,
    port: proxy.port,
    path: authority,
    headers: { host: authority, ...(authorization && { 'proxy-authorization': authorization }) },
    agent: false,
    signal: AbortSignal.timeout(timeoutMs),
  };
  // Else the certificate would be asked for by the Host header, which names the destination.
  const servername = isIP(proxy.host) === 0 ? proxy.host : '';
  const request = proxy.isTls
    ? httpsRequest({ ...asked, secureContext: network.secureContext, servername } as RequestOptions)
    : httpRequest(asked);
  return new Promise((resolve, reject) => {
    const fail = (code: string, detail: string, cause?: Error) =>
      reject(new ConnectError({ phase: 'connect', code, detail }, cause));
    request.once('connect', (answer, socket: Socket, head) => {
      if (answer.statusCode === 200) {
        if (head.length > 0) socket.unshift(head);
        return resolve(socket);
      }
      socket.destroy();
      fail(...refusalOf(answer, proxy, authority));
    });
    request.once('error', (error) => {
      const isLate = error.name === 'AbortError' || error.name === 'TimeoutError';
      const code = isLate ? 'ETIMEDOUT' : codeOf(error);
      fail(code, `The proxy ${authorityOf(proxy)} does not answer (${code}).`, error);
    });
    request.end();
  });
}

function refusalOf(
  { statusCode, headersDistinct: headers }: IncomingMessage,
  proxy: ForwardProxy,
  wanted: string,
): [code: string, detail: string] {
  const name = authorityOf(proxy);
  const isKnown = proxy.authorization !== undefined;
  // Some answer a wrong password as a server would, and not as a proxy.
  const isAboutLogin = statusCode === 407 || (statusCode === 401 && isKnown);
  if (!isAboutLogin) {
    const detail = `The proxy ${name} does not connect to ${wanted} (HTTP ${statusCode}).`;
    return ['ERR_PROXY_REFUSED', detail];
  }
  const asked = headers['proxy-authenticate'] ?? headers['www-authenticate'] ?? [];
  const schemes = asked.map((each) => /^[\w-]{1,20}/.exec(each)?.[0] ?? 'something else');
  const isBasic = schemes.some((scheme) => scheme.toLowerCase() === 'basic');
  const why = !isBasic
    ? `asks for ${schemes.join(' or ')}, and the agent knows only the basic way`
    : isKnown
      ? 'does not take the user name and the password of its address'
      : 'asks for a user name and a password, and its address has none';
  return ['ERR_PROXY_AUTHENTICATION', `The proxy ${name} ${why} (HTTP ${statusCode}).`];
}

/** `host:port`, an IPv6 address in brackets. */
function authorityOf({ host, port }: { readonly host: string; readonly port: number }): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
