import { infiniteQueryOptions } from '@tanstack/react-query';
import { einvoicing, got } from '../../api/client.ts';
import type { components } from '../../api/einvoice-api.d.ts';
import { isShort, pagesOf } from '../../api/paging.ts';

export type Endpoint = components['schemas']['WebhookEndpoint'];
export type Delivery = components['schemas']['WebhookDelivery'];

export const endpointsQuery = pagesOf(['webhooks'], (query) =>
  got(einvoicing.GET('/v1/webhook-endpoints', { params: { query } })),
);

export const addEndpoint = (url: string, description: string) =>
  got(einvoicing.POST('/v1/webhook-endpoints', { body: { url, description, event_types: [] } }));

export const endpointKey = (id: string) => ['webhook', id] as const;

export const getEndpoint = (id: string) =>
  got(einvoicing.GET('/v1/webhook-endpoints/{id}', { params: { path: { id } } }));

export const deliveriesQuery = (id: string, state: Delivery['state'] | undefined) =>
  infiniteQueryOptions({
    ...pagesOf([...endpointKey(id), 'deliveries', state], (page) =>
      got(
        einvoicing.GET('/v1/webhook-endpoints/{id}/deliveries', {
          params: { path: { id }, query: { ...page, ...(state === undefined ? {} : { state }) } },
        }),
      ),
    ),
    refetchInterval: (list) => (isShort(list) ? 5_000 : false),
  });

export const resendDelivery = (id: string, delivery_id: string) =>
  got(
    einvoicing.POST('/v1/webhook-endpoints/{id}/deliveries/{delivery_id}/resend', {
      params: { path: { id, delivery_id } },
    }),
  );

export const sendTest = (id: string) =>
  got(einvoicing.POST('/v1/webhook-endpoints/{id}/test', { params: { path: { id } } }));

export const removeEndpoint = (id: string) =>
  got(einvoicing.DELETE('/v1/webhook-endpoints/{id}', { params: { path: { id } } }));

export const rotateSecret = (id: string) =>
  got(
    einvoicing.POST('/v1/webhook-endpoints/{id}/rotate-secret', {
      params: { path: { id } },
      body: { grace_s: 86_400 },
    }),
  );

export const replayFailed = (id: string, since: string) =>
  got(
    einvoicing.POST('/v1/webhook-endpoints/{id}/replay', {
      params: { path: { id } },
      body: { since, events: [], only: 'failed' },
    }),
  );
