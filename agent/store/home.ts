import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { failed, type Opened } from '../outcome.ts';
import type { Runtime } from '../runtime.ts';
import type { DeclaredConnector, Settings } from '../settings.ts';
import { companyVault } from './company.ts';
import { connectingVault } from './connecting.ts';
import { connectorsVault } from './connectors.ts';
import { isOutOfSpace } from './disk-space.ts';
import { enrolmentVault, epochVault, type Identity, identityVault } from './identity.ts';
import { type Keyring, openKeyring } from './keyring.ts';
import { openQueue } from './queue.ts';
import { createStore, type Store } from './store.ts';
import { prepareHome, type VaultLocation } from './vault.ts';

/** The home folder, made ready: its vaults, and what the configuration file declares. */
export interface Home {
  readonly path: string;
  readonly identity: ReturnType<typeof identityVault>;
  readonly epoch: ReturnType<typeof epochVault>;
  /** An enrolment whose answer is still to be carried here. */
  readonly enrolment: ReturnType<typeof enrolmentVault>;
  /** Those that `connect` and `connector add` made. */
  readonly connectors: ReturnType<typeof connectorsVault>;
  /** How far somebody has come with `connect`. */
  readonly connecting: ReturnType<typeof connectingVault>;
  /** What the control plane has signed of the company. */
  readonly company: ReturnType<typeof companyVault>;
  /** Those of the configuration file. */
  readonly declared: readonly DeclaredConnector[];
}

type Randomness = Pick<Runtime, 'randomBytes'>;

function locationOf(settings: Settings, { randomBytes }: Randomness): VaultLocation {
  const keyFile = settings.keyFile || join(settings.home, 'key');
  return { home: settings.home, keyFile, random: randomBytes };
}

/** The secrets that settings name as `keyring:NAME`. */
export function keyringOf(settings: Settings, runtime: Randomness): Keyring {
  return openKeyring(locationOf(settings, runtime));
}

const whyUnusable: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write to it',
  EPERM: 'this user may not write to it',
  EROFS: 'its file system is read-only',
  ENOENT: 'no folder can be made there',
  EEXIST: 'a file stands in its place',
  ENOTDIR: 'a file stands in the place of a folder above it',
};

export function openHome(settings: Settings, runtime: Runtime): Opened<Home> {
  const location = locationOf(settings, runtime);
  try {
    prepareHome(location);
  } catch (error) {
    if (isOutOfSpace(error)) {
      return refused('disk_full', `There is no room to write in ${settings.home}.`);
    }
    const { code = 'no code' } = error as NodeJS.ErrnoException;
    const why = whyUnusable[code] === undefined ? '' : `: ${whyUnusable[code]}`;
    return refused('home_unusable', `${settings.home} cannot be used${why} (${code}).`);
  }
  const home = {
    path: settings.home,
    identity: identityVault(location),
    epoch: epochVault(location),
    enrolment: enrolmentVault(location),
    connectors: connectorsVault(location),
    connecting: connectingVault(location),
    company: companyVault(location),
    declared: settings.connectors,
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

/** The configured connectors: those of the configuration file, and the others that were added. */
export function openConnectors(home: Home) {
  const added = openAddedConnectors(home);
  if (added.kind === 'failed') return added;
  const declared = new Set(home.declared.map(({ name }) => name));
  const others = added.value.filter(({ name }) => !declared.has(name));
  return { kind: 'opened', value: [...home.declared, ...others] } as const;
}

/** Those that `connect` and `connector add` made; an empty list before the first. */
export function openAddedConnectors(home: Home) {
  const content = home.connectors.read();
  if (content.kind === 'unreadable') {
    return refused('vault_unreadable', 'The connectors do not open with the key file.');
  }
  const connectors = content.kind === 'content' ? content.value : [];
  return { kind: 'opened', value: connectors } as const;
}

/** Names of the connectors whose changes are reported; none while they cannot be read. */
export function watchedConnectors(home: Home): string[] {
  const connectors = openConnectors(home);
  if (connectors.kind === 'failed') return [];
  return connectors.value.filter((one) => one.watch && one.enabled).map((one) => one.name);
}

/** The queue; `quarantined` names the damaged file that was set aside, if there was one. */
export function openStore(
  home: Home,
  clock: () => Date,
): Opened<{ store: Store; quarantined: string | undefined }> {
  const opened = openQueueOf(home, clock);
  if (opened.kind === 'failed') return opened;
  const { database, quarantined } = opened.value;
  return { kind: 'opened', value: { store: createStore(database, clock), quarantined } };
}

/** As `openStore`, the database itself. */
export function openQueueOf(
  home: Home,
  clock: () => Date,
): Opened<{ database: Database.Database; quarantined: string | undefined }> {
  const queue = openQueue(home.path, clock);
  if (queue.kind === 'newer') {
    return refused('store_newer', `The queue is of version ${queue.version}.`);
  }
  if (queue.kind === 'damaged') {
    return refused('store_damaged', 'The queue is damaged, and an agent runs on it.');
  }
  const { database, quarantined } = queue;
  return { kind: 'opened', value: { database, quarantined } };
}

function refused(...reason: Parameters<typeof failed>) {
  return { kind: 'failed', outcome: failed(...reason) } as const;
}
