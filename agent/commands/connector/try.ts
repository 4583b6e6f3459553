import type {
  ConnectorFault,
  ConnectorKind,
  TestOutcome,
} from '@drawbridge/connectors/contract.ts';
import { connectorKinds } from '@drawbridge/connectors/registry.ts';
import { testReading } from '@drawbridge/connectors/tested-reading.ts';
import { faultsOf } from '../../config/connector-settings.ts';
import type { Outcome } from '../../output.ts';
import type { ConfiguredConnector } from '../../store/connectors.ts';
import { createConfiguredSources } from '../../sync/configured-sources.ts';
import type { CommandContext } from '../command.ts';

/** Kinds that this host can open; an agent does not read through another agent. */
export const localKinds: readonly ConnectorKind[] = connectorKinds.filter(
  (one) => one.pattern !== 'agent',
);

type Failed = Extract<Outcome, { kind: 'failed' }>;
type Tried = Extract<TestOutcome, { kind: 'ok' }> | Failed;

const timeoutMs = 60_000;

/** Opens a connector that is not configured yet, and reads from its source, so that what is kept works. */
export async function tryConnector(
  { runtime, settings }: CommandContext,
  connector: ConfiguredConnector,
): Promise<Tried> {
  const sources = createConfiguredSources(() => [connector], settings, runtime);
  const signal = AbortSignal.any([runtime.stop, AbortSignal.timeout(timeoutMs)]);
  const used = await sources.use(connector.name, (open) => testReading(open, signal));
  await sources.close();
  if (used.kind === 'fault') return faulted(used.fault);
  return used.value.kind === 'ok' ? used.value : faulted(used.value.fault);
}

/** Undefined when the settings are ones of that kind. */
export function settingsFault(kind: ConnectorKind, settings: unknown): Failed | undefined {
  const parsed = kind.settings.safeParse(settings);
  return parsed.success
    ? undefined
    : failed('settings_invalid', faultsOf(parsed.error, kind.settings));
}

function failed(error: Failed['error'], cause: string): Failed {
  return { kind: 'failed', error, cause };
}

function faulted({ code, message }: ConnectorFault): Failed {
  return failed('connector_failed', `${message} (${code})`);
}
