import type { Connector, ConnectorFault } from '@drawbridge/connectors/contract.ts';
import { failed, type Outcome } from '../output.ts';
import { openHome } from '../store/home.ts';
import { sourcesOf } from '../sync/configured.ts';
import type { Setting } from './command.ts';

type Asked<T> =
  | { readonly kind: 'asked'; readonly value: T }
  | Extract<Outcome, { kind: 'failed' }>;

const timeoutMs = 60_000;

/** Opens one connector, asks it one thing, and closes it. */
export async function askConnector<T>(
  { edge, settings }: Setting,
  name: string,
  work: (connector: Connector, signal: AbortSignal) => Promise<T>,
): Promise<Asked<T>> {
  const home = openHome(settings, edge);
  if (home.kind === 'failed') return home.outcome as Extract<Outcome, { kind: 'failed' }>;
  const sources = sourcesOf(home.value, settings, edge);
  const signal = AbortSignal.any([edge.stop, AbortSignal.timeout(timeoutMs)]);
  const used = await sources.use(name, (connector) => work(connector, signal));
  await sources.close();
  if (used.kind === 'used') return { kind: 'asked', value: used.value };
  const { code, message } = used.fault;
  const error = code === 'connector_unknown' ? code : 'connector_failed';
  return { kind: 'failed', error, cause: message };
}

/** What a source's own fault ends a command with. */
export function faulted({ code, message }: ConnectorFault): Outcome {
  return failed('connector_failed', `${message} (${code})`);
}
