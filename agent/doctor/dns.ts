import { lookup } from 'node:dns/promises';
import type { Check } from './finding.ts';

export const checkDns: Check = async ({ identity }) => {
  if (identity === undefined) return [];
  const target = new URL(identity.linkUrl).hostname;
  const row = { component: 'dns', target };
  try {
    const addresses = await lookup(target.replace(/^\[|\]$/g, ''), { all: true });
    const detail = addresses.map(({ address }) => address).join(', ');
    return [{ ...row, status: 'ok', detail }];
  } catch (error) {
    const detail = (error as NodeJS.ErrnoException).code ?? 'no answer';
    return [{ ...row, status: 'fail', detail, action: 'Ask for this name at your name server.' }];
  }
};
