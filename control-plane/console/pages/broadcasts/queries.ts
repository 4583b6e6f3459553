import { queryOptions } from '@tanstack/react-query';
import { got, messaging } from '../../api/client.ts';
import type { components, operations } from '../../api/messaging-api.d.ts';
import { newKey } from '../../api/new-key.ts';
import { pagesOf } from '../../api/paging.ts';

export type Broadcast = components['schemas']['Broadcast'];
export type BroadcastRequest = components['schemas']['BroadcastRequest'];
export type BroadcastTestRequest = components['schemas']['BroadcastTestRequest'];
export type Forecast = components['schemas']['BroadcastForecast'];

type TrackedUrl = components['schemas']['TrackedUrl'];
type Query = NonNullable<operations['listBroadcasts']['parameters']['query']>;
export type BroadcastFilters = Pick<Query, 'channel' | 'status'>;
type MessageStatus = NonNullable<
  NonNullable<operations['listBroadcastMessages']['parameters']['query']>['status']
>;

/** All that shows broadcasts has a key that begins so. */
export const broadcastsKey = ['broadcasts'] as const;
const path = (id: string) => ({ params: { path: { id } } });
/** While it runs. */
const askEveryMs = 2_000;

export const broadcastsQuery = (filters: BroadcastFilters) =>
  pagesOf([...broadcastsKey, 'list', filters], (page) =>
    got(messaging.GET('/broadcast/', { params: { query: { ...filters, ...page } } })),
  );

const endStates: readonly Broadcast['status'][] = ['completed', 'failed', 'canceled'];
export const isOver = ({ status }: Broadcast): boolean => endStates.includes(status);
/** Reports come after the last message was sent, for a while. */
const reportsComeForMs = 10 * 60_000;

export const broadcastQuery = (id: string, now: () => Date) =>
  queryOptions({
    queryKey: [...broadcastsKey, 'one', id],
    queryFn: () => got(messaging.GET('/broadcast/{id}/', path(id))),
    refetchInterval: ({ state: { data } }) => {
      if (data === undefined) return false;
      const end = data.finished_at === null ? undefined : new Date(data.finished_at).getTime();
      const isSettled = end !== undefined && now().getTime() > end + reportsComeForMs;
      return isOver(data) && isSettled ? false : askEveryMs;
    },
  });

export const sentMessagesQuery = (broadcast: string, status: MessageStatus) =>
  pagesOf([...broadcastsKey, 'one', broadcast, 'messages', status], (page) =>
    got(
      messaging.GET('/broadcast/messages/', { params: { query: { broadcast, status, ...page } } }),
    ),
  );

/** The links of a broadcast, asked for anew when its counts have changed. */
export const urlsQuery = (broadcast: string, { clicks, sent }: Broadcast['counts']) =>
  queryOptions({
    queryKey: [...broadcastsKey, 'one', broadcast, 'urls', clicks, sent],
    queryFn: async () => {
      const query = { broadcast, by: 'url' } as const;
      const page = await got(messaging.GET('/broadcast/url-tracking/', { params: { query } }));
      return page.results as readonly TrackedUrl[];
    },
  });

/** What would be sent; nothing is. */
export const forecast = async (body: BroadcastRequest): Promise<Forecast> => {
  const answer = await got(messaging.POST('/broadcast/', { body: { ...body, dry_run: true } }));
  return answer as Forecast;
};

export const createBroadcast = async (body: BroadcastRequest, key: string): Promise<Broadcast> => {
  const params = { header: { 'Idempotency-Key': key } };
  return (await got(messaging.POST('/broadcast/', { params, body }))) as Broadcast;
};

export const sendTest = (body: BroadcastTestRequest) =>
  got(
    messaging.POST('/broadcast/test/', {
      params: { header: { 'Idempotency-Key': newKey() } },
      body,
    }),
  );

export type Control = 'pause' | 'resume' | 'cancel';

export const control = (id: string, what: Control) =>
  got(messaging.POST(`/broadcast/{id}/${what}/`, path(id)));

export const resend = (id: string, to: ('failed' | 'unknown')[]) =>
  got(
    messaging.POST('/broadcast/{id}/resend/', {
      params: { path: { id }, header: { 'Idempotency-Key': newKey() } },
      body: { to },
    }),
  );

export const reschedule = (id: string, schedule_at: string) =>
  got(messaging.PATCH('/broadcast/{id}/', { ...path(id), body: { schedule_at } }));
