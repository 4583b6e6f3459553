import { knownSecrets } from '../log/known-secrets.ts';
import { createRedaction } from '../log/redaction.ts';
import { openNetwork } from '../network/network.ts';
import { type Failed, failed } from '../outcome.ts';
import { runAgent } from '../runner.ts';
import { openIdentity, openStore } from '../store/home.ts';
import { takeLock } from '../store/lock.ts';
import { configuredSources } from '../sync/configured-sources.ts';
import type { WorkContext } from './work-context.ts';

export type Linked<T> = { readonly kind: 'done'; readonly value: T } | Failed;

/** Milliseconds to be linked in. */
const linkTimeoutMs = 20_000;

/**
 * Does the work while this host serves the control plane: by the agent that runs already, or by one of
 * this process that ends with the work.
 */
export async function whileLinked<T>(
  { runtime, settings, home }: WorkContext,
  work: () => Promise<T>,
): Promise<Linked<T>> {
  const identity = openIdentity(home);
  if (identity.kind === 'failed') return identity.outcome;
  const network = openNetwork(settings, identity.value.caFile);
  if (network.kind === 'failed') return network.outcome;
  const lock = takeLock(settings.home);
  if (lock === undefined) return { kind: 'done', value: await work() };
  const opened = openStore(home, runtime.clock);
  if (opened.kind === 'failed') return opened.outcome;
  const stopping = new AbortController();
  const stop = AbortSignal.any([runtime.stop, stopping.signal]);
  const { promise: connected, resolve } = Promise.withResolvers<'connected' | 'late'>();
  const late = setTimeout(() => resolve('late'), linkTimeoutMs);
  let told = '';
  const running = runAgent({
    runtime: { ...runtime, stop },
    settings,
    home,
    identity: identity.value,
    network: network.value,
    store: opened.value.store,
    sources: configuredSources(home, settings, runtime),
    redaction: () => createRedaction(knownSecrets(home, settings, runtime)),
    report(event, detail) {
      told = detail;
      if (event === 'connected') resolve('connected');
    },
  });
  const first = await Promise.race([connected, running.then(() => 'ended' as const)]);
  clearTimeout(late);
  const value = first === 'connected' ? await work() : undefined;
  stopping.abort();
  await running;
  opened.value.store.close();
  lock.release();
  if (first === 'connected') return { kind: 'done', value: value as T };
  return failed('control_plane_unreachable', `No link: ${told}`);
}
