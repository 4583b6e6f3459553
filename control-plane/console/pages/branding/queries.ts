import { queryOptions } from '@tanstack/react-query';
import { got, messaging } from '../../api/client.ts';
import type { components } from '../../api/messaging-api.d.ts';

export type Branding = components['schemas']['Branding'];
export type BrandingPatch = components['schemas']['BrandingPatch'];

export const brandingQuery = queryOptions({
  queryKey: ['branding'],
  queryFn: () => got(messaging.GET('/tenants/branding/')),
});

export const changeBranding = (body: BrandingPatch) =>
  got(messaging.PATCH('/tenants/branding/', { body }));

/** Looks for the DNS records now. */
export const verifyBranding = () => got(messaging.POST('/tenants/branding/verify/'));
