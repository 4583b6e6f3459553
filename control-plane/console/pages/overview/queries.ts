import { queryOptions } from '@tanstack/react-query';
import { einvoicing, got } from '../../api/client.ts';

const everyMs = 15_000;

export const rejectedQuery = queryOptions({
  queryKey: ['overview', 'rejected'],
  queryFn: () =>
    got(einvoicing.GET('/v1/invoices', { params: { query: { status: 'rejected', limit: 5 } } })),
  refetchInterval: everyMs,
});

export const agentsQuery = queryOptions({
  queryKey: ['agents'],
  queryFn: () => got(einvoicing.GET('/v1/agents')),
  refetchInterval: everyMs,
});

export const webhooksQuery = queryOptions({
  queryKey: ['overview', 'webhooks'],
  queryFn: () => got(einvoicing.GET('/v1/webhook-endpoints')),
  refetchInterval: everyMs,
});
