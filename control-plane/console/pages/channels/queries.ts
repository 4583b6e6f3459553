import { queryOptions } from '@tanstack/react-query';
import { got, messaging } from '../../api/client.ts';
import type { components } from '../../api/messaging-api.d.ts';
import { newKey } from '../../api/new-key.ts';
import { everyPage, pagesOf } from '../../api/paging.ts';
import type { SettingSchema, SettingValues } from '../../setting-forms/setting-shape.ts';

export type App = components['schemas']['App'];
export type AppPatch = components['schemas']['AppPatch'];

/** Where the apps of each channel are. */
const appPaths = {
  wa: '/wa/v1/apps/',
  sms: '/sms/v1/apps/',
  botchat: '/botchat/v1/bots/',
  rcs: '/rcs/v1/apps/',
} as const;
export type AppChannel = keyof typeof appPaths;
export const appChannels = Object.keys(appPaths) as readonly AppChannel[];

/** A provider, with the schema of its settings. */
export interface ProviderKind extends Omit<components['schemas']['ProviderKind'], 'settings'> {
  readonly settings: SettingSchema;
}

/** The providers of all channels but calls. */
export const providerKindsQuery = queryOptions({
  queryKey: ['provider-kinds'],
  queryFn: async () =>
    (await got(messaging.GET('/provider-kinds/'))).results as readonly ProviderKind[],
  // It changes with the version of the service alone.
  staleTime: Number.POSITIVE_INFINITY,
});

/** Something may come in at any time. */
const askEveryMs = 15_000;
const appsKey = (channel: AppChannel) => ['apps', channel] as const;

/** All apps of a channel, with their addresses and when something last came in. */
export const appsQuery = (channel: AppChannel) =>
  queryOptions({
    queryKey: appsKey(channel),
    queryFn: () =>
      everyPage((query) => got(messaging.GET(appPaths[channel], { params: { query } }))),
    refetchInterval: askEveryMs,
  });

export interface NewApp {
  readonly provider: string;
  readonly name: string;
  readonly settings: SettingValues;
}

export function addApp(channel: AppChannel, app: NewApp): Promise<App> {
  const body = { ...app, allow_unsigned: false, resend_unknown: false };
  const params = { header: { 'Idempotency-Key': newKey() } };
  // The four differ only in the names of their providers, of which the form offers the right ones.
  return got(messaging.POST(appPaths[channel], { params, body: body as never }));
}

export const changeApp = (channel: AppChannel, id: string, body: AppPatch) =>
  got(messaging.PATCH(`${appPaths[channel]}{id}/`, { params: { path: { id } }, body }));

export const removeApp = (channel: AppChannel, id: string) =>
  got(messaging.DELETE(`${appPaths[channel]}{id}/`, { params: { path: { id } } }));

/** Events of WhatsApp for numbers that had no app. */
export const unroutedQuery = pagesOf(['unrouted'], (query) =>
  got(messaging.GET('/wa/v1/unrouted/', { params: { query } })),
);

export const replayUnrouted = () => got(messaging.POST('/wa/v1/unrouted/replay/', { body: {} }));
