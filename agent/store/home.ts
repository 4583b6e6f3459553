import { join } from 'node:path';
import { failed, type Outcome } from '../output.ts';
import type { Runtime } from '../runtime.ts';
import type { Settings } from '../settings.ts';
import { connectorsVault } from './connectors.ts';
import { epochVault, type Identity, identityVault } from './identity.ts';
import { openQueue } from './queue.ts';
import { createStore, type Store } from './store.ts';
import { prepareHome } from './vault.ts';

/** The home folder, made ready: its three vaults. */
export interface Home {
  readonly path: string;
  readonly identity: ReturnType<typeof identityVault>;
  readonly epoch: ReturnType<typeof epochVault>;
  readonly connectors: ReturnType<typeof connectorsVault>;
}

export type Opened<T> =
  | { readonly kind: 'opened'; readonly value: T }
  | { readonly kind: 'failed'; readonly outcome: Outcome };

export function openHome(settings: Settings, runtime: Runtime): Opened<Home> {
  const keyFile = settings.keyFile || join(settings.home, 'key');
  const location = { home: settings.home, keyFile, random: runtime.randomBytes };
  try {
    prepareHome(location);
  } catch (error) {
    const { code = 'no code' } = error as NodeJS.ErrnoException;
    return refused('home_unusable', `${settings.home} cannot be used (${code}).`);
  }
  const home = {
    path: settings.home,
    identity: identityVault(location),
    epoch: epochVault(location),
    connectors: connectorsVault(location),
  };
  return { kind: 'opened', value: home };
}

export function openIdentity(home: Home): Opened<Identity> {
  const content = home.identity.read();
  switch (content.kind) {
    case 'content':
      return { kind: 'opened', value: content.value };
    case 'absent':
      return refused('not_enrolled', 'This host has no identity yet.');
    case 'unreadable':
      return refused('vault_unreadable', 'The identity does not open with the key file.');
  }
}

/** The configured connectors; an empty list before the first is added. */
export function openConnectors(home: Home) {
  const content = home.connectors.read();
  if (content.kind === 'unreadable') {
    return refused('vault_unreadable', 'The connectors do not open with the key file.');
  }
  const connectors = content.kind === 'content' ? content.value : [];
  return { kind: 'opened', value: connectors } as const;
}

/** The queue; `quarantined` names the damaged file that was set aside, if there was one. */
export function openStore(
  home: Home,
  clock: () => Date,
): Opened<{ store: Store; quarantined: string | undefined }> {
  const queue = openQueue(home.path, clock);
  if (queue.kind === 'newer') {
    return refused('store_newer', `The queue is of version ${queue.version}.`);
  }
  const store = createStore(queue.database, clock);
  return { kind: 'opened', value: { store, quarantined: queue.quarantined } };
}

function refused(...reason: Parameters<typeof failed>) {
  return { kind: 'failed', outcome: failed(...reason) } as const;
}
