import { type CurrentIdentity, createCurrentIdentity } from '../link/current-identity.ts';
import { failed, type Opened } from '../outcome.ts';
import type { Runtime } from '../runtime.ts';
import type { Settings } from '../settings.ts';
import { type Bundles, openBundles } from '../store/bundles.ts';
import { type Home, openHome, openIdentity, openStore } from '../store/home.ts';
import { takeLock } from '../store/lock.ts';
import type { Store } from '../store/store.ts';
import { configuredSources } from '../sync/configured-sources.ts';
import type { Sources } from '../sync/sources.ts';

/** What carrying bundles needs of the home folder, which no running agent uses meanwhile. */
export interface Carrier {
  readonly runtime: Runtime;
  readonly home: Home;
  readonly store: Store;
  readonly sources: Sources;
  readonly bundles: Bundles;
  readonly identity: CurrentIdentity;
  close(): Promise<void>;
}

export function openCarrier({
  runtime,
  settings,
}: {
  readonly runtime: Runtime;
  readonly settings: Settings;
}): Opened<Carrier> {
  const home = openHome(settings, runtime);
  if (home.kind === 'failed') return home;
  const identity = openIdentity(home.value);
  if (identity.kind === 'failed') return identity;
  const lock = takeLock(settings.home);
  if (lock === undefined) {
    const outcome = failed('already_running', 'An agent runs on this home folder.');
    return { kind: 'failed', outcome };
  }
  const opened = openStore(home.value, runtime.clock);
  if (opened.kind === 'failed') {
    lock.release();
    return opened;
  }
  const { store } = opened.value;
  const sources = configuredSources(home.value, settings, runtime);
  const bundles = openBundles(settings.home, runtime.clock);
  const value: Carrier = {
    runtime,
    home: home.value,
    store,
    sources,
    bundles,
    identity: createCurrentIdentity(home.value.identity, identity.value),
    async close() {
      await sources.close();
      bundles.close();
      store.close();
      lock.release();
    },
  };
  return { kind: 'opened', value };
}
