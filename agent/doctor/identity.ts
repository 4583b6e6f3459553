import type { Check } from './finding.ts';

export const checkIdentity: Check = async ({ home, identity, settings }) => {
  const row = { component: 'identity', target: settings.home };
  if (identity !== undefined) {
    const detail = `${identity.agentId}; secrets are sealed against lost disks, not against root`;
    return [{ ...row, status: 'ok', detail }];
  }
  if (home.identity.read().kind === 'absent') {
    return [{ ...row, status: 'fail', detail: 'not enrolled', code: 'not_enrolled' }];
  }
  return [
    {
      ...row,
      status: 'fail',
      detail: 'does not open with the key file',
      code: 'identity_unreadable',
    },
  ];
};
