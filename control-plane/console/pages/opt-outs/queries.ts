import { got, messaging } from '../../api/client.ts';
import type { components, operations } from '../../api/messaging-api.d.ts';
import { pagesOf } from '../../api/paging.ts';

export type OptOut = components['schemas']['OptOut'];
export type OptOutRequest = components['schemas']['OptOutRequest'];
export type OptOutFilters = Pick<
  NonNullable<operations['listOptOuts']['parameters']['query']>,
  'channel' | 'address'
>;

/** All that shows opt-outs has a key that begins so. */
export const optOutsKey = ['opt-outs'] as const;

export const optOutsQuery = (filters: OptOutFilters) =>
  pagesOf([...optOutsKey, filters], (page) =>
    got(messaging.GET('/contacts/opt-outs/', { params: { query: { ...filters, ...page } } })),
  );

export const addOptOut = (body: OptOutRequest) =>
  got(messaging.POST('/contacts/opt-outs/', { body }));

export const removeOptOut = (id: string, note: string) =>
  got(messaging.DELETE('/contacts/opt-outs/{id}/', { params: { path: { id }, query: { note } } }));
