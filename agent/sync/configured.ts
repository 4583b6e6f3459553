import { connectorKind } from '@drawbridge/connectors/registry.ts';
import type { Edge } from '../edge.ts';
import type { Settings } from '../settings.ts';
import { type Home, openConnectors } from '../store/home.ts';
import { createSources, type Sources } from './sources.ts';

/** The sources that the home folder's connectors name. */
export function sourcesOf(home: Home, settings: Settings, edge: Edge): Sources {
  return createSources({
    kindOf: connectorKind,
    context: { clock: edge.clock, allowedRoots: settings.fileRoots },
    configured() {
      const connectors = openConnectors(home);
      return connectors.kind === 'opened' ? connectors.value : [];
    },
  });
}
