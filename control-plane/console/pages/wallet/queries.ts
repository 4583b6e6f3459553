import { queryOptions } from '@tanstack/react-query';
import { got, messaging } from '../../api/client.ts';
import type { components } from '../../api/messaging-api.d.ts';
import { pagesOf } from '../../api/paging.ts';

export type Wallet = components['schemas']['Wallet'];
export type Entry = components['schemas']['WalletEntryPage']['results'][number];

export const walletQuery = queryOptions({
  queryKey: ['wallet'],
  queryFn: () => got(messaging.GET('/tenants/host-wallet/')),
});

export const entriesQuery = pagesOf(['wallet', 'entries'], (query) =>
  got(messaging.GET('/tenants/host-wallet/entries/', { params: { query } })),
);

export const setLowAt = (low_at: string | null) =>
  got(messaging.PATCH('/tenants/host-wallet/', { body: { low_at } }));
