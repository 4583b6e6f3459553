import { queryOptions } from '@tanstack/react-query';
import { got, messaging } from './client.ts';

/** Whose the address of this page is; without a name it is the host's own. */
export const domainBrandQuery = queryOptions({
  queryKey: ['domain-brand'],
  queryFn: () => got(messaging.GET('/tenants/branding/domain/')),
  staleTime: Number.POSITIVE_INFINITY,
});
