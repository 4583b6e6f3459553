import { queryOptions } from '@tanstack/react-query';
import { einvoicing, got } from '../../api/client.ts';
import type { components, operations } from '../../api/einvoice-api.d.ts';
import { pagesOf } from '../../api/paging.ts';

export type Received = components['schemas']['ReceivedDocument'];
export type ReceivedFilters = Pick<
  NonNullable<operations['listReceived']['parameters']['query']>,
  'status' | 'number' | 'cancelled'
>;

export const receivedQuery = (filters: ReceivedFilters) =>
  pagesOf(['received', filters], (page) =>
    got(einvoicing.GET('/v1/received', { params: { query: { ...filters, ...page } } })),
  );

export const receivedOneQuery = (id: string) =>
  queryOptions({
    queryKey: ['received', id],
    queryFn: () => got(einvoicing.GET('/v1/received/{id}', { params: { path: { id } } })),
  });

export const importReceived = (id: string, connector_id: string | undefined) =>
  got(
    einvoicing.POST('/v1/received/{id}/import', {
      params: { path: { id } },
      body: connector_id === undefined ? {} : { connector_id },
    }),
  );

export const undoImport = (id: string) =>
  got(einvoicing.POST('/v1/received/{id}/undo', { params: { path: { id } } }));

type Answer = components['schemas']['RespondRequest'];
export type Status = Answer['status'];

/** What the supplier was told, the newest first. */
export const answersQuery = (id: string) =>
  queryOptions({
    queryKey: ['received', id, 'answers'],
    queryFn: () => got(einvoicing.GET('/v1/received/{id}/responses', { params: { path: { id } } })),
  });

export const respond = (id: string, body: Answer) =>
  got(einvoicing.POST('/v1/received/{id}/respond', { params: { path: { id } }, body }));
