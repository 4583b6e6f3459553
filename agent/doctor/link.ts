import { readHealth } from '../health.ts';
import { isLocked } from '../store/lock.ts';
import type { Check } from './finding.ts';

/** Whether the agent that runs on this home folder is linked; of one that does not run `status` tells. */
export const checkLink: Check = async ({ identity, settings }) => {
  const link = readHealth(settings.home)?.link;
  if (identity === undefined || link === undefined || !isLocked(settings.home)) return [];
  const row = { component: 'link', target: identity.url };
  const detail = `${link.state} since ${link.since}: ${link.detail}`;
  if (link.state === 'connected') return [{ ...row, status: 'ok', detail }];
  return [{ ...row, status: 'warn', detail, code: 'not_linked' }];
};
