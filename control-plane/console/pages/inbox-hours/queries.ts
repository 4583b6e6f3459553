import { queryOptions } from '@tanstack/react-query';
import { got, messaging } from '../../api/client.ts';
import type { components } from '../../api/messaging-api.d.ts';
import { inboxKey } from '../inbox/queries.ts';

export type InboxSettings = components['schemas']['InboxSettings'];
export type InboxSettingsRequest = components['schemas']['InboxSettingsRequest'];

export const inboxSettingsQuery = queryOptions({
  queryKey: [...inboxKey, 'settings'],
  queryFn: () => got(messaging.GET('/team-inbox/api/settings/')),
});

export const saveInboxSettings = (body: InboxSettingsRequest) =>
  got(messaging.PUT('/team-inbox/api/settings/', { body }));
