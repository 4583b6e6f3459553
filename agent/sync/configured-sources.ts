import { connectorKind } from '@drawbridge/connectors/registry.ts';
import { revealedSettings } from '../config/connector-settings.ts';
import { reveal } from '../config/secret-reference.ts';
import { openNetwork } from '../network/network.ts';
import type { Runtime } from '../runtime.ts';
import type { Settings } from '../settings.ts';
import type { ConfiguredConnector } from '../store/connectors.ts';
import { type Home, keyringOf, openConnectors } from '../store/home.ts';
import type { Store } from '../store/store.ts';
import { createSources, SecretMissing, type Sources } from './sources.ts';

/** The sources of the connectors in the home folder; with a store they follow what is wound back in it. */
export function configuredSources(
  home: Home,
  settings: Settings,
  runtime: Runtime,
  store?: Pick<Store, 'rewinds'>,
): Sources {
  const configured = () => {
    const connectors = openConnectors(home);
    return connectors.kind === 'opened' ? connectors.value : [];
  };
  return createConfiguredSources(configured, settings, runtime, store);
}

/** The sources of these connectors, opened as this host is set up. */
export function createConfiguredSources(
  configured: () => readonly ConfiguredConnector[],
  settings: Settings,
  runtime: Runtime,
  store?: Pick<Store, 'rewinds'>,
): Sources {
  const keyring = keyringOf(settings, runtime);
  const secretOf = (text: string): string => {
    const revealed = reveal(text, { env: runtime.env, keyring: (name) => keyring.read(name) });
    if (revealed.kind === 'missing') throw new SecretMissing(revealed.cause);
    return revealed.value;
  };
  const network = openNetwork(settings);
  return createSources({
    kindOf: connectorKind,
    connectorContext: {
      clock: runtime.clock,
      allowedRoots: settings.fileRoots,
      ...(network.kind === 'opened' ? { network: network.value } : {}),
    },
    configured,
    ...(store === undefined ? {} : { rewinds: store.rewinds }),
    revealed: (given, kind) => revealedSettings(given, kind.settings, secretOf),
  });
}
