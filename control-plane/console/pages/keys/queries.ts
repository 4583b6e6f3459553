import { einvoicing, got } from '../../api/client.ts';
import type { components } from '../../api/einvoice-api.d.ts';
import { pagesOf } from '../../api/paging.ts';

export type ApiKey = components['schemas']['ApiKey'];
export type Scope = components['schemas']['ApiKeyRequest']['scopes'][number];

export const keysQuery = pagesOf(['keys'], (query) =>
  got(einvoicing.GET('/v1/api-keys', { params: { query } })),
);

export const issueKey = (name: string, scopes: Scope[]) =>
  got(einvoicing.POST('/v1/api-keys', { body: { name, scopes, allowed_ips: [] } }));

export const revokeKey = (id: string) =>
  got(einvoicing.DELETE('/v1/api-keys/{id}', { params: { path: { id } } }));
