import { connectorKind } from '@drawbridge/connectors/registry.ts';
import type { Runtime } from '../runtime.ts';
import type { Settings } from '../settings.ts';
import type { ConfiguredConnector } from '../store/connectors.ts';
import { type Home, openConnectors } from '../store/home.ts';
import { createSources, type Sources } from './sources.ts';

/** The sources of the connectors in the home folder. */
export function configuredSources(home: Home, settings: Settings, runtime: Runtime): Sources {
  const configured = () => {
    const connectors = openConnectors(home);
    return connectors.kind === 'opened' ? connectors.value : [];
  };
  return createConfiguredSources(configured, settings, runtime);
}

/** The sources of these connectors, opened as this host is set up. */
export function createConfiguredSources(
  configured: () => readonly ConfiguredConnector[],
  settings: Settings,
  runtime: Runtime,
): Sources {
  return createSources({
    kindOf: connectorKind,
    connectorContext: { clock: runtime.clock, allowedRoots: settings.fileRoots },
    configured,
  });
}
