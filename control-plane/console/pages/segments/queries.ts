import { queryOptions } from '@tanstack/react-query';
import { got, messaging } from '../../api/client.ts';
import type { components } from '../../api/messaging-api.d.ts';
import { everyPage, pagesOf } from '../../api/paging.ts';

export type Segment = components['schemas']['Segment'];
export type SegmentQuery = components['schemas']['SegmentQuery'];
export type Condition = NonNullable<SegmentQuery['all']>[number];

/** All that shows segments has a key that begins so. */
export const segmentsKey = ['segments'] as const;
const path = (id: string) => ({ params: { path: { id } } });

export const segmentsQuery = pagesOf([...segmentsKey, 'list'], (query) =>
  got(messaging.GET('/contacts/segments/', { params: { query } })),
);

/** Segments to choose from. */
export const segmentChoicesQuery = queryOptions({
  queryKey: [...segmentsKey, 'choices'],
  queryFn: () =>
    everyPage((query) => got(messaging.GET('/contacts/segments/', { params: { query } }))),
});

export const segmentQuery = (id: string) =>
  queryOptions({
    queryKey: [...segmentsKey, 'one', id],
    queryFn: () => got(messaging.GET('/contacts/segments/{id}/', path(id))),
  });

/** How many contacts would be in it now. */
export const countQuery = (query: SegmentQuery) =>
  queryOptions({
    queryKey: [...segmentsKey, 'count', query],
    queryFn: () => got(messaging.POST('/contacts/segments/count/', { body: { query } })),
  });

export const addSegment = (name: string, query: SegmentQuery | undefined) =>
  got(messaging.POST('/contacts/segments/', { body: { name, ...(query && { query }) } }));

export const changeSegment = (id: string, name: string, query: SegmentQuery | undefined) =>
  got(
    messaging.PATCH('/contacts/segments/{id}/', {
      ...path(id),
      body: { name, ...(query && { query }) },
    }),
  );

export const removeSegment = (id: string) =>
  got(messaging.DELETE('/contacts/segments/{id}/', path(id)));
