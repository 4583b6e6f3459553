import { lookup } from 'node:dns/promises';
import { destinationOf, proxyFor } from '@drawbridge/outbound/proxy.ts';
import type { Check } from './finding.ts';

export const checkDns: Check = async ({ identity, network }) => {
  if (identity === undefined || network === undefined) return [];
  const destination = destinationOf(identity.linkUrl);
  const target = proxyFor(network.proxies, destination)?.host ?? destination.host;
  const row = { component: 'dns', target };
  try {
    const addresses = await lookup(target, { all: true });
    const detail = addresses.map(({ address }) => address).join(', ');
    return [{ ...row, status: 'ok', detail }];
  } catch (error) {
    const detail = (error as NodeJS.ErrnoException).code ?? 'no answer';
    return [{ ...row, status: 'fail', detail, code: 'name_unknown' }];
  }
};
