import { queryOptions } from '@tanstack/react-query';
import { einvoicing, got } from '../../api/client.ts';
import type { components } from '../../api/einvoice-api.d.ts';
import { pagesOf } from '../../api/paging.ts';

export type Agent = components['schemas']['Agent'];
export type AgentStatus = components['schemas']['AgentStatus'];
export type AgentFinding = AgentStatus['findings'][number];
export type Connector = components['schemas']['Connector'];

export const agentsQuery = queryOptions({
  queryKey: ['agents'],
  queryFn: () => got(einvoicing.GET('/v1/agents')),
  refetchInterval: 15_000,
});

export const agentQuery = (id: string) =>
  queryOptions({
    queryKey: ['agents', id],
    queryFn: () => got(einvoicing.GET('/v1/agents/{id}', { params: { path: { id } } })),
  });

export const connectorsQuery = pagesOf(['connectors'], (query) =>
  got(einvoicing.GET('/v1/connectors', { params: { query } })),
);

const tokenSeconds = 3_600;

export const newEnrolmentToken = () =>
  got(
    einvoicing.POST('/v1/agents/enrolment-tokens', { body: { expires_in_seconds: tokenSeconds } }),
  );

export const revokeAgent = (id: string) =>
  got(einvoicing.DELETE('/v1/agents/{id}', { params: { path: { id } } }));

export type NewConnector = Omit<components['schemas']['ConnectorRequest'], 'duplicates'>;

/** Kinds of sources that are reached without an agent, with their patterns. */
export const reachable = {
  postgres: { pattern: 'database', kind: 'postgres' },
  mysql: { pattern: 'database', kind: 'mysql' },
  mssql: { pattern: 'database', kind: 'mssql' },
  sqlite: { pattern: 'database', kind: 'sqlite' },
  files: { pattern: 'file', kind: 'files' },
  http: { pattern: 'API', kind: 'http' },
  imap: { pattern: 'email', kind: 'imap' },
  myinvois: { pattern: 'API', kind: 'myinvois' },
} as const satisfies Readonly<Record<string, Pick<NewConnector, 'pattern' | 'kind'>>>;

/** How a source is reached: by an agent, or from here as a kind. */
export type Reach = 'agent' | keyof typeof reachable;

export const isReach = (text: string): text is Reach =>
  text === 'agent' || Object.hasOwn(reachable, text);

/** The settings of a source as an object; undefined when the text is none. */
export function settingsOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined; // it is still being typed
  }
}

export const addConnector = (connector: NewConnector) => {
  const body = { ...connector, duplicates: 'reject' } as const;
  return got(einvoicing.POST('/v1/connectors', { body }));
};
