import { queryOptions } from '@tanstack/react-query';
import { got, messaging } from '../../api/client.ts';
import type { components, operations } from '../../api/messaging-api.d.ts';
import { newKey } from '../../api/new-key.ts';
import { everyPage, pagesOf } from '../../api/paging.ts';
import type { SettingValues } from '../../setting-forms/setting-shape.ts';
import type { ProviderKind } from '../channels/queries.ts';

export type Call = components['schemas']['Call'];
export type CallItem = components['schemas']['CallItem'];
type CallRequest = components['schemas']['CallRequest'];
export type VoiceProvider = components['schemas']['VoiceProvider'];
type Query = NonNullable<operations['listCalls']['parameters']['query']>;
export type CallFilters = Pick<Query, 'status' | 'to'>;

/** All that shows calls has a key that begins so. */
export const callsKey = ['calls'] as const;
const path = (id: string) => ({ params: { path: { id } } });
const askEveryMs = 2_000;

export const callsQuery = (filters: CallFilters) =>
  pagesOf([...callsKey, 'list', filters], (page) =>
    got(messaging.GET('/voice/api/calls/', { params: { query: { ...filters, ...page } } })),
  );

const endStates: readonly Call['status'][] = [
  'completed',
  'busy',
  'no_answer',
  'canceled',
  'failed',
  'machine',
];
export const isOver = ({ status }: CallItem): boolean => endStates.includes(status);

/** While it goes on, and until its recordings are there. */
export const callQuery = (id: string) =>
  queryOptions({
    queryKey: [...callsKey, 'one', id],
    queryFn: () => got(messaging.GET('/voice/api/calls/{id}/', path(id))),
    refetchInterval: ({ state: { data } }) => {
      const isFetching = data?.recordings.some(({ state }) => state === 'fetching');
      return data === undefined || (isOver(data) && !isFetching) ? false : askEveryMs;
    },
  });

/** What happened on a call, asked for anew when its status has changed. */
export const eventsQuery = ({ id, status, recordings }: Call) =>
  queryOptions({
    queryKey: [...callsKey, 'one', id, 'events', status, recordings.length],
    queryFn: () =>
      everyPage((page) =>
        got(
          messaging.GET('/voice/api/call-events/', { params: { query: { call_id: id, ...page } } }),
        ),
      ),
  });

export const hangUp = (id: string) =>
  got(messaging.POST('/voice/api/calls/{id}/hangup/', path(id)));

export const startCall = (body: CallRequest, key: string) =>
  got(
    messaging.POST('/voice/api/calls/', { params: { header: { 'Idempotency-Key': key } }, body }),
  );

export const voiceProviderKindsQuery = queryOptions({
  queryKey: ['voice-provider-kinds'],
  queryFn: async () =>
    (await got(messaging.GET('/voice/api/provider-kinds/'))).results as readonly ProviderKind[],
  // It changes with the version of the service alone.
  staleTime: Number.POSITIVE_INFINITY,
});

export const providersQuery = queryOptions({
  queryKey: ['voice-providers'],
  queryFn: () =>
    everyPage((query) => got(messaging.GET('/voice/api/provider-configs/', { params: { query } }))),
});

export interface NewProvider {
  readonly provider: string;
  readonly name: string;
  readonly from_number: string;
  readonly settings: SettingValues;
}

type VoiceProviderPatch = components['schemas']['VoiceProviderPatch'];

export const changeProvider = (id: string, body: VoiceProviderPatch) =>
  got(messaging.PATCH('/voice/api/provider-configs/{id}/', { ...path(id), body }));

export function addProvider({ settings, ...rest }: NewProvider): Promise<VoiceProvider> {
  const params = { header: { 'Idempotency-Key': newKey() } };
  const isGiven = Object.keys(settings).length > 0;
  const body = {
    ...rest,
    // In the sandbox what is left out is that of the simulator; otherwise the defaults of the API.
    ...(isGiven ? { settings } : {}),
  } as components['schemas']['VoiceProviderRequest'];
  return got(messaging.POST('/voice/api/provider-configs/', { params, body }));
}
