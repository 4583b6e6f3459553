import { queryOptions } from '@tanstack/react-query';
import { got, messaging } from '../../api/client.ts';
import type { components, operations } from '../../api/messaging-api.d.ts';
import { pagesOf } from '../../api/paging.ts';
import { callsKey } from '../calls/queries.ts';

export type Recording = components['schemas']['Recording'];
export type RecordingFilters = Omit<
  NonNullable<operations['listRecordings']['parameters']['query']>,
  'cursor' | 'limit'
>;

export const states: readonly Recording['state'][] = ['stored', 'fetching', 'failed', 'deleted'];

const recordingsKey = [...callsKey, 'recordings'] as const;
const path = (id: string) => ({ params: { path: { id } } });

export const recordingsQuery = (filters: RecordingFilters) =>
  pagesOf([...recordingsKey, filters], (page) =>
    got(messaging.GET('/voice/api/recordings/', { params: { query: { ...filters, ...page } } })),
  );

export const transcriptionQuery = (id: string) =>
  queryOptions({
    queryKey: [...recordingsKey, id, 'transcription'],
    queryFn: () => got(messaging.GET('/voice/api/recordings/{id}/transcription/', path(id))),
  });

export const removeRecording = (id: string) =>
  got(messaging.DELETE('/voice/api/recordings/{id}/', path(id)));

/** Where the sound is. */
export const soundOf = (id: string) => `/voice/api/recordings/${encodeURIComponent(id)}/download/`;
