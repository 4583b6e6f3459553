import { queryOptions } from '@tanstack/react-query';
import { got, messaging } from '../../api/client.ts';
import type { components, operations } from '../../api/messaging-api.d.ts';
import { newKey } from '../../api/new-key.ts';
import { everyPage, pagesOf } from '../../api/paging.ts';

export type Flow = components['schemas']['CallFlow'];
export type StoredFlow = components['schemas']['VoiceTemplate'];
export type Markup = NonNullable<
  NonNullable<operations['getVoiceTemplate']['parameters']['query']>['provider']
>;

/** All that shows call flows has a key that begins so. */
export const flowsKey = ['call-flows'] as const;

export const flowsQuery = pagesOf([...flowsKey, 'list'], (query) =>
  got(messaging.GET('/voice/api/templates/', { params: { query } })),
);

export const flowChoicesQuery = queryOptions({
  queryKey: [...flowsKey, 'choices'],
  queryFn: () =>
    everyPage((query) => got(messaging.GET('/voice/api/templates/', { params: { query } }))),
});

/** A flow, and as a provider is given it. */
export const flowQuery = (id: string, provider: Markup | undefined) =>
  queryOptions({
    queryKey: [...flowsKey, 'one', id, provider],
    queryFn: () =>
      got(
        messaging.GET('/voice/api/templates/{id}/', {
          params: { path: { id }, query: provider === undefined ? {} : { provider } },
        }),
      ),
  });

export const addFlow = (name: string, flow: Flow) =>
  got(
    messaging.POST('/voice/api/templates/', {
      params: { header: { 'Idempotency-Key': newKey() } },
      body: { name, flow },
    }),
  );

export const changeFlow = (id: string, name: string, flow: Flow) =>
  got(
    messaging.PATCH('/voice/api/templates/{id}/', {
      params: { path: { id } },
      body: { name, flow },
    }),
  );

export const removeFlow = (id: string) =>
  got(messaging.DELETE('/voice/api/templates/{id}/', { params: { path: { id } } }));
