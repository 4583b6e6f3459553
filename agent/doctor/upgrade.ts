import { openTrial, trialText } from '../upgrade/trials.ts';
import type { Check } from './finding.ts';

/** Whether an upgrade is not yet known to work. */
export const checkUpgrade: Check = async ({ settings }) => {
  const trial = openTrial(settings.home);
  if (trial === undefined) return [];
  const row = { component: 'upgrade', target: trial.to };
  return [{ ...row, status: 'warn', detail: trialText(trial), code: 'upgrade_on_trial' }];
};
