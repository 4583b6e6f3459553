import { configuredSources } from '../sync/configured-sources.ts';
import { type Check, type Finding, timeoutMs } from './finding.ts';

export const checkConnectors: Check = async ({ runtime, home, settings }) => {
  const sources = configuredSources(home, settings, runtime);
  const findings = await Promise.all(
    sources.list().map(async ({ name }): Promise<Finding> => {
      const row = { component: 'connector', target: name };
      const signal = AbortSignal.timeout(timeoutMs);
      const used = await sources.use(name, (connector) => connector.test(signal));
      if (used.kind === 'used' && used.value.kind === 'ok') {
        return { ...row, status: 'ok', detail: used.value.detail };
      }
      const fault =
        used.kind === 'fault' ? used.fault : used.value.kind === 'failed' && used.value.fault;
      const detail = fault ? `${fault.message} (${fault.code})` : 'no answer';
      const action = 'Correct it with `drawbridge connector edit`.';
      return { ...row, status: 'fail', detail, action };
    }),
  );
  await sources.close();
  return findings;
};
