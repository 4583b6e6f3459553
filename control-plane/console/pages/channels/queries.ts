import { queryOptions } from '@tanstack/react-query';
import { got, messaging } from '../../api/client.ts';

/** Where the apps of each channel are. */
const appPaths = {
  wa: '/wa/v1/apps/',
  sms: '/sms/v1/apps/',
  botchat: '/botchat/v1/bots/',
  rcs: '/rcs/v1/apps/',
} as const;
export type AppChannel = keyof typeof appPaths;

const limit = 200;

/** All apps of a channel, with their addresses and when something last came in. */
export const appsQuery = (channel: AppChannel) =>
  queryOptions({
    queryKey: ['apps', channel],
    queryFn: () => got(messaging.GET(appPaths[channel], { params: { query: { limit } } })),
  });
