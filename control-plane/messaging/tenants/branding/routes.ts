import type { Tx } from '../../../platform/db/tx.ts';
import { retryAfter } from '../../../platform/http/retry-after.ts';
import { type AnyRoute, route } from '../../../platform/http/route.ts';
import { fail } from '../../errors.ts';
import { type TenantRoutesContext, tag } from '../context.ts';
import { brandingPatch, brandingView, logoBytesMax } from '../schema.ts';
import { type BrandingRow, findBranding, findLogo, saveBranding } from '../store.ts';
import { domainRoutes } from './domain-routes.ts';
import { readLogo } from './logo.ts';
import { listProofs, type ProofRow } from './proof-store.ts';
import { checkProofs, hasChanged, newProofs, replaceProofs, showProof } from './proofs.ts';

const logoPath = '/tenants/branding/logo/';
const checksPerMinute = 20;

export function brandingRoutes(context: TenantRoutesContext): AnyRoute[] {
  return [
    getRoute(context),
    patchRoute(context),
    verifyRoute(context),
    logoRoute(context),
    ...domainRoutes(context),
  ];
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
      return { status: 200, body: await db.tenant(tenantId, (tx) => view(tx, tenantId)) };
    },
  });
}

function patchRoute(context: TenantRoutesContext) {
  return route({
    method: 'patch',
    path: '/tenants/branding/',
    operationId: 'updateBranding',
    summary: 'Change domain, logo or e-mail sender',
    description:
      'Fields that are left out stay; null removes one. A domain and a sender are used once the TXT record is ' +
      'published that `custom_domain_proof` and `email_sender_proof` show.',
    tag,
    auth: { scope: 'branding:write' },
    limit: 'write',
    bodyBytesMax: logoBytesMax * 2,
    request: { body: brandingPatch },
    responses: { 200: { description: 'The branding as it is now.', schema: brandingView } },
    handler: async ({ body, principal: { tenantId }, audit }) => {
      const { db, clock } = context;
      const logo = typeof body.logo === 'string' ? readLogo(body.logo) : body.logo;
      const { custom_domain, email_sender: sender } = body;
      const wanted = {
        domain: custom_domain,
        senderAddress: sender === null ? null : sender?.address,
      };
      const proofs = await newProofs(context, wanted);
      const shown = await db.tenant(tenantId, async (tx) => {
        const before = await view(tx, tenantId);
        await saveBranding(tx, tenantId, { custom_domain, logo, sender }, clock());
        await replaceProofs(tx, context, tenantId, wanted, proofs);
        const after = await view(tx, tenantId);
        await audit.record(tx, tenantId, { subject: 'branding', before, after });
        return after;
      });
      return { status: 200, body: shown };
    },
  });
}

function verifyRoute(context: TenantRoutesContext) {
  return route({
    method: 'post',
    path: '/tenants/branding/verify/',
    operationId: 'verifyBranding',
    summary: 'Look for the DNS records of domain and e-mail sender now',
    description:
      'They are looked for by themselves too: often at first, then less, and twice a day once they were found. ' +
      'What is proved counts until its record was missing for three days.',
    tag,
    auth: { scope: 'branding:write' },
    limit: 'write',
    responses: { 200: { description: 'The branding, with what was found.', schema: brandingView } },
    handler: async ({ principal: { tenantId }, audit }) => {
      const { db, limits } = context;
      const counted = await limits.count(`branding verify ${tenantId}`, {
        max: checksPerMinute,
        windowMs: 60_000,
      });
      if (!counted.isGranted) {
        throw fail('rate_limited', `Records can be looked for ${checksPerMinute} times a minute.`, {
          headers: retryAfter(counted.retryAfterMs),
        });
      }
      await addMissing(context, tenantId);
      await checkProofs(context, tenantId, async (tx, before, after) => {
        if (!hasChanged(before, after)) return;
        const change = { before: showProof(before), after: showProof(after) };
        await audit.record(tx, tenantId, { subject: before.name, ...change });
      });
      return { status: 200, body: await db.tenant(tenantId, (tx) => view(tx, tenantId)) };
    },
  });
}

/** Proofs of what was set before any were asked for. */
async function addMissing(context: TenantRoutesContext, tenantId: string): Promise<void> {
  const { db } = context;
  const [set, known] = await db.tenant(tenantId, async (tx) => [
    await findBranding(tx, tenantId),
    await listProofs(tx, tenantId),
  ]);
  const has = (kind: string) => known.some((proof) => proof.kind === kind);
  const wanted = {
    domain: has('domain') ? undefined : set?.custom_domain,
    senderAddress: has('sender') ? undefined : set?.sender_address,
  };
  const proofs = await newProofs(context, wanted);
  await db.tenant(tenantId, (tx) => replaceProofs(tx, context, tenantId, wanted, proofs));
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

async function view(tx: Tx, tenantId: string) {
  const proofs = await listProofs(tx, tenantId);
  return show(await findBranding(tx, tenantId), proofs);
}

function show(row: BrandingRow | undefined, proofs: readonly ProofRow[]) {
  const address = row?.sender_address ?? null;
  const proofOf = (kind: string) => {
    const proof = proofs.find((each) => each.kind === kind);
    return proof === undefined ? null : showProof(proof);
  };
  return {
    custom_domain: row?.custom_domain ?? null,
    custom_domain_proof: proofOf('domain'),
    logo:
      row?.logo_type == null
        ? null
        : { content_type: row.logo_type, bytes: row.logo_bytes, url: logoPath },
    email_sender: address === null ? null : { name: row?.sender_name ?? null, address },
    email_sender_proof: proofOf('sender'),
    updated_at: row?.updated_at.toISOString() ?? null,
  };
}
