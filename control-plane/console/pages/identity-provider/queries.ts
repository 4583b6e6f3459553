import { queryOptions } from '@tanstack/react-query';
import { einvoicing, got } from '../../api/client.ts';
import type { components } from '../../api/einvoice-api.d.ts';

type Schemas = components['schemas'];
export type Settings = Schemas['IdentityProviderSettings'];
export type Provider = Schemas['IdentityProvider'];
export type ProviderRequest = Schemas['IdentityProviderRequest'];
export type GroupRoles = Schemas['GroupRoles'];
export type Trial = Schemas['SignInTrial'];

export const providerQuery = queryOptions({
  queryKey: ['identity-provider'],
  queryFn: () => got(einvoicing.GET('/v1/identity-provider')),
});

export const saveProvider = (body: ProviderRequest) =>
  got(einvoicing.PUT('/v1/identity-provider', { body }));

export const removeProvider = () => got(einvoicing.DELETE('/v1/identity-provider'));

export const checkProvider = () => got(einvoicing.POST('/v1/identity-provider/check'));
