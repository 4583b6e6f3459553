import { queryOptions } from '@tanstack/react-query';
import { einvoicing, got, messaging } from '../../api/client.ts';

const everyMs = 15_000;
/** So many of a kind are named; the list behind them has all. */
const limit = 5;

export const rejectedQuery = queryOptions({
  queryKey: ['overview', 'rejected'],
  queryFn: () =>
    got(einvoicing.GET('/v1/invoices', { params: { query: { status: 'rejected', limit } } })),
  refetchInterval: everyMs,
});

/** Invoices that wait for a person: to release them, or to approve them. */
export const heldQuery = (waits_for: 'release' | 'approval') =>
  queryOptions({
    queryKey: ['overview', 'held', waits_for],
    queryFn: () => got(einvoicing.GET('/v1/invoices', { params: { query: { waits_for, limit } } })),
    refetchInterval: everyMs,
  });

/** Documents of suppliers that are not in the ERP. */
export const receivedQuery = queryOptions({
  queryKey: ['overview', 'received'],
  queryFn: () =>
    got(einvoicing.GET('/v1/received', { params: { query: { status: 'received', limit } } })),
  refetchInterval: everyMs,
});

/** Documents that their supplier has cancelled, and whose draft is still in the ERP. */
export const cancelledQuery = queryOptions({
  queryKey: ['overview', 'cancelled'],
  queryFn: () =>
    got(
      einvoicing.GET('/v1/received', {
        params: { query: { status: 'imported', cancelled: 'true', limit } },
      }),
    ),
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

/** People whom nobody has answered, who has waited longest first. */
export const waitingQuery = queryOptions({
  queryKey: ['overview', 'waiting'],
  queryFn: async () => {
    const query = { state: 'open', order: 'longest_wait', limit } as const;
    const { results } = await got(
      messaging.GET('/team-inbox/api/conversations/', { params: { query } }),
    );
    return results;
  },
  refetchInterval: everyMs,
});

export const runningQuery = queryOptions({
  queryKey: ['overview', 'running'],
  queryFn: () =>
    got(messaging.GET('/broadcast/', { params: { query: { status: 'running', limit } } })),
  refetchInterval: everyMs,
});

/** Whether an invoice has been accepted in this environment. */
export const hasAcceptedQuery = queryOptions({
  queryKey: ['overview', 'accepted'],
  queryFn: async () => {
    const pages = await Promise.all(
      (['delivered', 'cleared', 'acknowledged'] as const).map((status) =>
        got(einvoicing.GET('/v1/invoices', { params: { query: { status, limit: 1 } } })),
      ),
    );
    return pages.some(({ results }) => results.length > 0);
  },
});

/** Whether documents of a source are submitted by themselves in this environment. */
export const submitsQuery = queryOptions({
  queryKey: ['overview', 'submits'],
  queryFn: async () => {
    const { results } = await got(einvoicing.GET('/v1/connectors'));
    return results.some(({ submit_from }) => submit_from !== undefined);
  },
});

export const hasConnectorQuery = queryOptions({
  queryKey: ['overview', 'connected'],
  queryFn: async () => (await got(einvoicing.GET('/v1/connectors'))).results.length > 0,
});

/** Whether a channel is connected, and whether there is somebody to write to. */
export const messagingSetUpQuery = queryOptions({
  queryKey: ['overview', 'messaging'],
  queryFn: async () => {
    const { results } = await got(messaging.GET('/tenants/onboarding-options/'));
    const done = results.flatMap(({ steps }) => steps).filter((step) => step.done);
    return {
      hasApp: done.some(({ next }) => next !== null && /\/(apps|bots)\/$/.test(next)),
      hasContact: done.some(({ next }) => next === 'POST /contacts/'),
    };
  },
});

export const hasBroadcastQuery = queryOptions({
  queryKey: ['overview', 'broadcasts'],
  queryFn: async () => {
    const { results } = await got(
      messaging.GET('/broadcast/', { params: { query: { limit: 1 } } }),
    );
    return results.length > 0;
  },
});
