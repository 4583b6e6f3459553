import type {
  Connector,
  ConnectorFault,
  ConnectorKind,
  TestOutcome,
} from '@drawbridge/connectors/contract.ts';
import { connectorKinds } from '@drawbridge/connectors/registry.ts';
import { testReading } from '@drawbridge/connectors/tested-reading.ts';
import { faultsOf } from '../../config/connector-settings.ts';
import { type Failed, failed } from '../../outcome.ts';
import type { ConfiguredConnector } from '../../store/connectors.ts';
import { openHome } from '../../store/home.ts';
import { configuredSources, createConfiguredSources } from '../../sync/configured-sources.ts';
import { askOnce } from '../../sync/single-call.ts';
import type { CommandContext } from '../command.ts';

type Asked<T> = { readonly kind: 'asked'; readonly value: T } | Failed;

/** Opens one connector, asks it one thing, and closes it. */
export async function askConnector<T>(
  { runtime, settings }: CommandContext,
  name: string,
  work: (connector: Connector, signal: AbortSignal) => Promise<T>,
): Promise<Asked<T>> {
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome;
  const sources = configuredSources(home.value, settings, runtime);
  const used = await askOnce(sources, name, runtime.stop, work);
  if (used.kind === 'used') return { kind: 'asked', value: used.value };
  const { code, message } = used.fault;
  return failed(code === 'connector_unknown' ? code : 'connector_failed', message);
}

type Tried = Extract<TestOutcome, { kind: 'ok' }> | Failed;

/** Opens a connector that is not configured yet, and reads from its source, so that what is kept works. */
export async function tryConnector(
  { runtime, settings }: CommandContext,
  connector: ConfiguredConnector,
): Promise<Tried> {
  const sources = createConfiguredSources(() => [connector], settings, runtime);
  const used = await askOnce(sources, connector.name, runtime.stop, testReading);
  if (used.kind === 'fault') return faulted(used.fault);
  return used.value.kind === 'ok' ? used.value : faulted(used.value.fault);
}

/** The outcome of a command whose source failed. */
export function faulted({ code, message }: ConnectorFault): Failed {
  return failed('connector_failed', `${message} (${code})`);
}

/** Kinds that this host can open; an agent does not read through another agent. */
export const localKinds: readonly ConnectorKind[] = connectorKinds.filter(
  (one) => one.pattern !== 'agent',
);

/** Undefined when the settings are ones of that kind. */
export function settingsFault(kind: ConnectorKind, settings: unknown): Failed | undefined {
  const parsed = kind.settings.safeParse(settings);
  return parsed.success
    ? undefined
    : failed('settings_invalid', faultsOf(parsed.error, kind.settings));
}
