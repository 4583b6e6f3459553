import { openConnection } from '@drawbridge/connectors/outbound/network.ts';
import { destinationOf, proxyFor } from '@drawbridge/outbound/proxy.ts';
import { meaningOf } from '../network/faults.ts';
import { type Check, timeoutMs } from './finding.ts';

/** Whether a proxy is used, and connects. */
export const checkProxy: Check = async ({ identity, network }) => {
  if (identity === undefined || network === undefined) return [];
  const destination = destinationOf(identity.linkUrl);
  const target = `${destination.host}:${destination.port}`;
  const proxy = proxyFor(network.proxies, destination);
  const row = { component: 'proxy', target };
  if (proxy === undefined) {
    const variable = destination.isTls ? 'HTTPS_PROXY' : 'HTTP_PROXY';
    const isExcepted = network.proxies[destination.isTls ? 'https' : 'http'] !== undefined;
    const detail = isExcepted ? 'none, by NO_PROXY' : `none, ${variable} is not set`;
    return [{ ...row, status: 'ok', detail }];
  }
  const name = `${proxy.host}:${proxy.port}`;
  try {
    const through = await openConnection(network, { ...destination, isTls: false }, timeoutMs);
    through.destroy();
    return [{ ...row, status: 'ok', detail: `through ${name}` }];
  } catch (error) {
    return [{ ...row, status: 'fail', detail: meaningOf(error), code: 'proxy_unreachable' }];
  }
};
