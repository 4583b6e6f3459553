import { rulesInUse, updateFile } from '../rules/rules-in-use.ts';
import type { Check } from './finding.ts';

export const checkRules: Check = async ({ runtime, settings }) => {
  const { version, warnAfter, unused } = rulesInUse(settings.home);
  const row = { component: 'rules', target: version };
  if (unused !== undefined) {
    const detail = `${updateFile(settings.home)} is not used: ${unused}`;
    return [{ ...row, status: 'fail', detail, code: 'rules_unused' }];
  }
  if (warnAfter !== null && runtime.clock().getTime() > Date.parse(warnAfter)) {
    const detail = `there should be newer ones since ${warnAfter}`;
    return [{ ...row, status: 'warn', detail, code: 'rules_outdated' }];
  }
  const detail = warnAfter === null ? 'those of the agent' : `good until ${warnAfter}`;
  return [{ ...row, status: 'ok', detail }];
};
