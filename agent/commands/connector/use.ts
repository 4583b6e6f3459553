import type { Connector, ConnectorFault } from '@drawbridge/connectors/contract.ts';
import { failed, type Outcome } from '../../output.ts';
import { openHome } from '../../store/home.ts';
import { configuredSources } from '../../sync/configured-sources.ts';
import type { CommandContext } from '../command.ts';

type Asked<T> =
  | { readonly kind: 'asked'; readonly value: T }
  | Extract<Outcome, { kind: 'failed' }>;

const timeoutMs = 60_000;

/** Opens one connector, asks it one thing, and closes it. */
export async function askConnector<T>(
  { runtime, settings }: CommandContext,
  name: string,
  work: (connector: Connector, signal: AbortSignal) => Promise<T>,
): Promise<Asked<T>> {
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home.outcome as Extract<Outcome, { kind: 'failed' }>;
  const sources = configuredSources(home.value, settings, runtime);
  const signal = AbortSignal.any([runtime.stop, AbortSignal.timeout(timeoutMs)]);
  const used = await sources.use(name, (connector) => work(connector, signal));
  await sources.close();
  if (used.kind === 'used') return { kind: 'asked', value: used.value };
  const { code, message } = used.fault;
  const error = code === 'connector_unknown' ? code : 'connector_failed';
  return { kind: 'failed', error, cause: message };
}

/** The outcome of a command whose source failed. */
export function faulted({ code, message }: ConnectorFault): Outcome {
  return failed('connector_failed', `${message} (${code})`);
}
