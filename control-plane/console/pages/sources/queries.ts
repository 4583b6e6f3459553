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

export const addConnector = (connector: NewConnector) => {
  const body = { ...connector, duplicates: 'reject' } as const;
  return got(einvoicing.POST('/v1/connectors', { body }));
};
