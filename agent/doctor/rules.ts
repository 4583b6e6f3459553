import { rulesInUse, updateFile } from '../rules/rules-in-use.ts';
import type { Check } from './finding.ts';

export const checkRules: Check = async ({ runtime, settings }) => {
  const { version, warnAfter, unused } = rulesInUse(settings.home);
  const row = { component: 'rules', target: version };
  if (unused !== undefined) {
    const detail = `${updateFile(settings.home)} is not used: ${unused}`;
    const action = 'Import it again: drawbridge rules import FILE.';
    return [{ ...row, status: 'fail', detail, action }];
  }
  if (warnAfter !== null && runtime.clock().getTime() > Date.parse(warnAfter)) {
    const detail = `there should be newer ones since ${warnAfter}`;
    const action = 'Get newer rules from the maker: drawbridge rules import FILE.';
    return [{ ...row, status: 'warn', detail, action }];
  }
  const detail = warnAfter === null ? 'those of the agent' : `good until ${warnAfter}`;
  return [{ ...row, status: 'ok', detail }];
};
