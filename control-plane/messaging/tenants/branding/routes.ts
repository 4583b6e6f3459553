import { faultOf } from '../../../platform/db/errors.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { fail } from '../../errors.ts';
import { type TenantRoutesContext, tag } from '../context.ts';
import { brandingPatch, brandingView, logoBytesMax } from '../schema.ts';
import { type BrandingRow, findBranding, findLogo, saveBranding } from '../store.ts';
import { readLogo } from './logo.ts';

const logoPath = '/tenants/branding/logo/';

export function brandingRoutes(context: TenantRoutesContext): AnyRoute[] {
  return [getRoute(context), patchRoute(context), logoRoute(context)];
}

function getRoute({ db }: TenantRoutesContext) {
  return route({
    method: 'get',
    path: '/tenants/branding/',
    operationId: 'getBranding',
    summary: 'Read the branding',
    tag,
    auth: { scope: 'branding:read' },
    limit: 'read',
    responses: { 200: { description: 'The branding.', schema: brandingView } },
    handler: async ({ principal: { tenantId } }) => {
      const row = await db.tenant(tenantId, (tx) => findBranding(tx, tenantId));
      return { status: 200, body: show(row) };
    },
  });
}

function patchRoute({ db, clock }: TenantRoutesContext) {
  return route({
    method: 'patch',
    path: '/tenants/branding/',
    operationId: 'updateBranding',
    summary: 'Change domain, logo or e-mail sender',
    description: 'Fields that are left out stay; null removes one.',
    tag,
    auth: { scope: 'branding:write' },
    limit: 'write',
    bodyBytesMax: logoBytesMax * 2,
    request: { body: brandingPatch },
    responses: { 200: { description: 'The branding as it is now.', schema: brandingView } },
    errors: ['domain_taken'],
    handler: async ({ body, principal: { tenantId }, audit }) => {
      const logo = typeof body.logo === 'string' ? readLogo(body.logo) : body.logo;
      const change = { custom_domain: body.custom_domain, logo, sender: body.email_sender };
      const save = db.tenant(tenantId, async (tx) => {
        const before = show(await findBranding(tx, tenantId));
        const after = await saveBranding(tx, tenantId, change, clock());
        await audit.record(tx, tenantId, { subject: 'branding', before, after: show(after) });
        return after;
      });
      const row = await save.catch((error: unknown) => {
        if (faultOf(error).code !== 'duplicate') throw error;
        throw fail('domain_taken', 'This domain is in use by another tenant.');
      });
      return { status: 200, body: show(row) };
    },
  });
}

function logoRoute({ db }: TenantRoutesContext) {
  return route({
    method: 'get',
    path: logoPath,
    operationId: 'getLogo',
    summary: 'The logo itself',
    tag,
    auth: { scope: 'branding:read' },
    limit: 'read',
    responses: { 200: { description: 'The picture.', mediaType: 'image/*' } },
    errors: ['logo_not_found'],
    handler: async ({ principal: { tenantId } }) => {
      const row = await db.tenant(tenantId, (tx) => findLogo(tx, tenantId));
      if (row === undefined) throw fail('logo_not_found', 'This tenant has no logo.');
      return { status: 200, body: row.logo, headers: { 'content-type': row.logo_type } };
    },
  });
}

function show(row: BrandingRow | undefined) {
  const address = row?.sender_address ?? null;
  return {
    custom_domain: row?.custom_domain ?? null,
    logo:
      row?.logo_type == null
        ? null
        : { content_type: row.logo_type, bytes: row.logo_bytes, url: logoPath },
    email_sender: address === null ? null : { name: row?.sender_name ?? null, address },
    updated_at: row?.updated_at.toISOString() ?? null,
  };
}
