import { hostOf } from '../../../platform/http/host.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { fail } from '../../errors.ts';
import { type TenantRoutesContext, tag } from '../context.ts';
import { domainBrandingView, domainQuery } from '../schema.ts';
import { findLogo } from '../store.ts';
import { findDomainBranding, findDomainTenant } from './proof-store.ts';

const path = '/tenants/branding/domain/';
const pictureSeconds = 300;

/** What strangers see at a tenant's own domain, such as somebody who is about to sign in. */
export function domainRoutes({ db }: TenantRoutesContext): AnyRoute[] {
  const findTenant = (domain: string) => db.system((tx) => findDomainTenant(tx, domain));
  const tenantOf = async (domain: string): Promise<string> => {
    const tenantId = await findTenant(domain);
    if (tenantId === undefined)
      throw fail('domain_unknown', 'No workspace has proved this domain.');
    return tenantId;
  };
  return [
    route({
      method: 'get',
      path,
      operationId: 'getDomainBranding',
      summary: 'Whose a domain is: the name and logo of the workspace',
      description:
        'For the page that signs people in, of the address at which it is. A proxy that obtains certificates on demand asks here whether it ' +
        'should obtain one (200) or not (404).',
      tag,
      auth: { public: 'People who sign in see whose console it is.' },
      request: { query: domainQuery },
      responses: { 200: { description: 'The workspace.', schema: domainBrandingView } },
      errors: ['domain_unknown'],
      handler: async ({ query, raw }) => {
        const domain = query.domain ?? hostOf(raw);
        const isOwn = query.domain === undefined && (await findTenant(domain)) === undefined;
        if (isOwn) return { status: 200, body: { domain, name: null, logo_url: null } };
        const tenantId = await tenantOf(domain);
        const row = await db.tenant(tenantId, (tx) => findDomainBranding(tx, tenantId));
        const logo_url = row?.logo_type == null ? null : `${path}logo/?domain=${domain}`;
        return { status: 200, body: { domain, name: row?.name ?? null, logo_url } };
      },
    }),
    route({
      method: 'get',
      path: `${path}logo/`,
      operationId: 'getDomainLogo',
      summary: 'The logo of the workspace that has a domain',
      tag,
      auth: { public: 'People who sign in see whose console it is.' },
      request: { query: domainQuery },
      responses: { 200: { description: 'The picture.', mediaType: 'image/*' } },
      errors: ['domain_unknown', 'logo_not_found'],
      handler: async ({ query, raw }) => {
        const tenantId = await tenantOf(query.domain ?? hostOf(raw));
        const row = await db.tenant(tenantId, (tx) => findLogo(tx, tenantId));
        if (row === undefined) throw fail('logo_not_found', 'This tenant has no logo.');
        const cached = `public, max-age=${pictureSeconds}`;
        return {
          status: 200,
          body: row.logo,
          headers: { 'content-type': row.logo_type, 'cache-control': cached },
        };
      },
    }),
  ];
}
