import { queryOptions } from '@tanstack/react-query';
import { got, messaging } from '../../api/client.ts';
import type { components } from '../../api/messaging-api.d.ts';
import { inboxKey } from '../inbox/queries.ts';

export type Stats = components['schemas']['InboxStats'];
export type Times = components['schemas']['InboxTimes'];
export type Day = components['schemas']['InboxDays']['results'][number];

const dayMs = 86_400_000;

/** Of how many days figures can be asked for. */
export const periods = [7, 30, 90] as const;
type Period = (typeof periods)[number];

/** The last days, today among them. */
export const daysQuery = (period: Period, now: Date) =>
  queryOptions({
    queryKey: [...inboxKey, 'days', period],
    queryFn: async () => {
      // In the zone of the inbox it may be a day earlier or later than in UTC: what is too much is cut off.
      const first_day = new Date(now.getTime() - period * dayMs).toISOString().slice(0, 10);
      const query = { first_day };
      const days = await got(messaging.GET('/team-inbox/api/stats/days/', { params: { query } }));
      return { ...days, results: days.results.slice(-period) };
    },
  });

/** All figures from an instant until now. */
export const statsQuery = (since: string) =>
  queryOptions({
    queryKey: [...inboxKey, 'stats', since],
    queryFn: () => got(messaging.GET('/team-inbox/api/stats/', { params: { query: { since } } })),
  });
