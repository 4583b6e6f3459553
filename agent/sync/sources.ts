import type {
  Connector,
  ConnectorContext,
  ConnectorFault,
  ConnectorKind,
} from '@drawbridge/connectors/contract.ts';
import type { ConfiguredConnector } from '../store/connectors.ts';

export type Used<T> =
  | { readonly kind: 'used'; readonly value: T }
  | { readonly kind: 'fault'; readonly fault: ConnectorFault };

/** The sources of this network, opened when first asked for and kept open. */
export interface Sources {
  list(): { name: string; kind: string; title: string }[];
  use<T>(name: string, work: (connector: Connector) => Promise<T>): Promise<Used<T>>;
  close(): Promise<void>;
}

export interface SourcesContext {
  /** The connectors as configured now: a new or changed one needs no restart. */
  configured(): readonly ConfiguredConnector[];
  kindOf(kind: string): ConnectorKind | undefined;
  readonly connectorContext: ConnectorContext;
  /** How often a source was wound back: it is opened anew, as it may remember what it has listed. */
  rewinds?(name: string): number;
  /** The settings with the secrets that they name; throws `SecretMissing`. */
  revealed(settings: unknown, kind: ConnectorKind): unknown;
}

/** A setting names a secret that is not there; the message holds the name only. */
export class SecretMissing extends Error {}

interface OpenSource {
  readonly fingerprint: string;
  readonly connector: Promise<Connector>;
}

export function createSources(context: SourcesContext): Sources {
  const open = new Map<string, OpenSource>();

  function connectorOf(configured: ConfiguredConnector, kind: ConnectorKind): Promise<Connector> {
    const { roots = [] } = configured;
    const rewinds = context.rewinds?.(configured.name) ?? 0;
    const fingerprint = JSON.stringify([configured.kind, configured.settings, roots, rewinds]);
    const known = open.get(configured.name);
    if (known?.fingerprint === fingerprint) return known.connector;
    void known?.connector.then((connector) => connector.close()).catch(() => {}); // replaced
    const settings = kind.settings.parse(context.revealed(configured.settings, kind));
    const allowedRoots = [...context.connectorContext.allowedRoots, ...roots];
    const connector = kind.open(settings, { ...context.connectorContext, allowedRoots });
    open.set(configured.name, { fingerprint, connector });
    connector.catch(() => open.delete(configured.name)); // the next use tries again
    return connector;
  }

  return {
    list: () =>
      enabled(context.configured()).map(({ name, kind }) => {
        return { name, kind, title: context.kindOf(kind)?.title ?? kind };
      }),
    async use(name, work) {
      const configured = context.configured().find((connector) => connector.name === name);
      if (configured === undefined) {
        return faulted('connector_unknown', `The agent has no connector named "${name}".`, 'never');
      }
      if (!configured.enabled) {
        return faulted('connector_disabled', `"${name}" is disabled on the agent.`, 'later');
      }
      const kind = context.kindOf(configured.kind);
      if (kind === undefined) {
        const message = `This agent does not know connectors of kind "${configured.kind}".`;
        return faulted('connector_kind_unknown', message, 'never');
      }
      try {
        return { kind: 'used', value: await work(await connectorOf(configured, kind)) };
      } catch (error) {
        if (error instanceof SecretMissing) {
          return faulted('secret_missing', `${name}: ${error.message}.`, 'later');
        }
        // A driver's message may quote credentials or rows, so only its code is reported.
        const message = `The connector "${name}" failed (${codeOf(error)}).`;
        return faulted('connector_failed', message, 'later');
      }
    },
    async close() {
      const connectors = await Promise.allSettled([...open.values()].map((one) => one.connector));
      open.clear();
      await Promise.allSettled(
        connectors.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)),
      );
    },
  };
}

function enabled(connectors: readonly ConfiguredConnector[]): readonly ConfiguredConnector[] {
  return connectors.filter((connector) => connector.enabled);
}

function faulted(code: string, message: string, retry: 'never' | 'later') {
  return { kind: 'fault', fault: { code, message, retry } } as const;
}

function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'no code';
}
