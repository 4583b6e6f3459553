import type { ConnectorFault } from '@drawbridge/connectors/contract.ts';
import { testReading } from '@drawbridge/connectors/tested-reading.ts';
import type { FindingCode } from '@drawbridge/link/findings.ts';
import { configuredSources } from '../sync/configured-sources.ts';
import { type Check, type CheckedFinding, timeoutMs } from './finding.ts';

export const checkConnectors: Check = async ({ runtime, home, settings }) => {
  const sources = configuredSources(home, settings, runtime);
  const findings = await Promise.all(
    sources.list().map(async ({ name }): Promise<CheckedFinding> => {
      const row = { component: 'connector', target: name };
      const signal = AbortSignal.timeout(timeoutMs);
      const used = await sources.use(name, (connector) => testReading(connector, signal));
      if (used.kind === 'used' && used.value.kind === 'ok') {
        const { detail, writeBack } = used.value;
        if (writeBack === undefined) return { ...row, status: 'ok', detail };
        const waits = { status: 'warn', code: 'write_back_waits' } as const;
        return { ...row, ...waits, detail: `Write-back waits: ${writeBack.message}` };
      }
      const fault =
        used.kind === 'fault' ? used.fault : used.value.kind === 'failed' && used.value.fault;
      const detail = fault ? `${fault.message} (${fault.code})` : 'no answer';
      return { ...row, status: 'fail', detail, code: fault ? codeOf(fault) : 'source_away' };
    }),
  );
  await sources.close();
  return findings;
};

function codeOf({ code, retry }: ConnectorFault): FindingCode {
  // A table that a login may not read is not told from one that is gone.
  if (code === 'access_denied' || code === 'table_missing') return 'source_denied';
  return retry === 'never' || code === 'secret_missing' ? 'source_fault' : 'source_away';
}
