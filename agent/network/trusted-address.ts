import type { Settings } from '../settings.ts';

/**
 * Whether the address uses TLS or a host that needs none: others could read the token on the way.
 */
export function isTrustedAddress(text: string, settings: Settings): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname: host } = new URL(text);
  if (protocol === 'https:' || protocol === 'wss:') return true;
  const isLocal = ['127.0.0.1', '[::1]', 'localhost'].includes(host);
  return (protocol === 'http:' || protocol === 'ws:') && (isLocal || settings.allowHttp);
}
