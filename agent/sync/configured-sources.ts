import { connectorKind } from '@drawbridge/connectors/registry.ts';
import type { Runtime } from '../runtime.ts';
import type { Settings } from '../settings.ts';
import { type Home, openConnectors } from '../store/home.ts';
import { createSources, type Sources } from './sources.ts';

/** The sources of the connectors in the home folder. */
export function configuredSources(home: Home, settings: Settings, runtime: Runtime): Sources {
  return createSources({
    kindOf: connectorKind,
    connectorContext: { clock: runtime.clock, allowedRoots: settings.fileRoots },
    configured() {
      const connectors = openConnectors(home);
      return connectors.kind === 'opened' ? connectors.value : [];
    },
  });
}
