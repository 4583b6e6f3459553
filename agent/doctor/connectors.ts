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
        const { detail, writeBack } = used.value;
        if (writeBack === undefined) return { ...row, status: 'ok', detail };
        const action = 'Let an administrator run what `drawbridge connector grants` prints.';
        return { ...row, status: 'warn', detail: `Write-back waits: ${writeBack.message}`, action };
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
