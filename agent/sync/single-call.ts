import type { Connector } from '@drawbridge/connectors/contract.ts';
import type { Sources, Used } from './sources.ts';

/** As long as the longest discovery takes, and some time to log in. */
const timeoutMs = 60_000;

/** Asks one of the sources one thing, and closes them all; `stop` ends it early. */
export async function askOnce<T>(
  sources: Sources,
  name: string,
  stop: AbortSignal,
  work: (connector: Connector, signal: AbortSignal) => Promise<T>,
): Promise<Used<T>> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMs)]);
  const used = await sources.use(name, (connector) => work(connector, signal));
  await sources.close();
  return used;
}
