import type { Db } from '../../platform/db/database.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import type { PeopleApi } from '../api.ts';
import { fail } from '../errors.ts';
import { type Caller, requireGrants } from '../roles/grant.ts';
import { type AddressContext, registeredAddresses } from './addresses.ts';
import type { Openid } from './openid.ts';
import { givenRoles } from './person.ts';
import { identityProviderRequest, identityProviderView, providerCheck } from './schema.ts';
import {
  changeProvider,
  openidProviderOf,
  removeProvider,
  type SettingsContext,
  showProvider,
} from './settings.ts';
import { findProvider, type IdentityProviderRow, lockProvider } from './store.ts';

export interface ProviderSettingsContext extends SettingsContext, AddressContext {
  readonly db: Db;
  readonly openid: Openid;
}

const tag = 'Identity provider';
const subject = 'identity provider';

/** The identity provider of a workspace: looked after by whoever manages members and may grant what it grants. */
export function providerSettingsRoutes(
  api: PeopleApi,
  context: ProviderSettingsContext,
): AnyRoute[] {
  return [
    getRoute(api, context),
    putRoute(api, context),
    deleteRoute(api, context),
    checkRoute(api, context),
  ];
}

function getRoute({ paths }: PeopleApi, context: ProviderSettingsContext) {
  return route({
    method: 'get',
    path: paths.identityProvider,
    operationId: 'getIdentityProvider',
    summary: 'See the identity provider of the workspace, and what to register there',
    tag,
    auth: { scope: 'members:read' },
    limit: 'read',
    responses: { 200: { description: 'As it is now.', schema: identityProviderView } },
    handler: async ({ principal: { tenantId } }) => {
      const row = await context.db.tenant(tenantId, (tx) => findProvider(tx, tenantId));
      return { status: 200, body: await view(context, tenantId, row) };
    },
  });
}

function putRoute({ service, paths }: PeopleApi, context: ProviderSettingsContext) {
  return route({
    method: 'put',
    path: paths.identityProvider,
    operationId: 'putIdentityProvider',
    summary: 'Have members signed in by an identity provider (OpenID Connect)',
    description:
      'It vouches for people in this workspace only. With another issuer or client, and when it is not enabled, ' +
      'the sessions end that it vouched for; when it is required, those of members by password, but for owners: only ' +
      'an owner can ask for that.',
    tag,
    auth: { scope: 'members:write' },
    limit: 'write',
    needsProof: true,
    request: { body: identityProviderRequest },
    responses: { 200: { description: 'As it is now.', schema: identityProviderView } },
    errors: ['role_too_strong', 'sign_in_name_taken', 'no_way_back'],
    isOfWorkspace: true,
    handler: async ({ body, principal, audit }) => {
      const { tenantId } = principal;
      const row = await context.db.tenant(tenantId, async (tx) => {
        const before = await lockProvider(tx, tenantId);
        const caller = { service, principal };
        if (before !== undefined) await requireGrantsOf(tx, caller, before);
        const after = await changeProvider(tx, tenantId, context, before, body);
        await requireGrantsOf(tx, caller, after);
        // It keeps out members of any role, so it takes somebody who could make and unmake them all.
        const shutsOut = after.is_required && before?.is_required !== true;
        if (shutsOut) await requireGrants(tx, caller, { role: 'owner', einvoicing_role: null });
        await audit.record(tx, tenantId, {
          subject,
          before: before && showProvider(before),
          after: showProvider(after),
        });
        return after;
      });
      return { status: 200, body: await view(context, tenantId, row) };
    },
  });
}

function deleteRoute({ service, paths }: PeopleApi, context: ProviderSettingsContext) {
  return route({
    method: 'delete',
    path: paths.identityProvider,
    operationId: 'deleteIdentityProvider',
    summary: 'Have nobody signed in by an identity provider any more',
    description:
      'The sessions end that it vouched for. Members whom it made stay, and have no password: remove them, or ' +
      'name a provider again.',
    tag,
    auth: { scope: 'members:write' },
    limit: 'write',
    needsProof: true,
    responses: { 204: { description: 'There is none any more.' } },
    errors: ['no_identity_provider', 'role_too_strong'],
    isOfWorkspace: true,
    handler: async ({ principal, audit }) => {
      const { tenantId } = principal;
      await context.db.tenant(tenantId, async (tx) => {
        const before = await lockProvider(tx, tenantId);
        if (before === undefined) throw noProvider();
        await requireGrantsOf(tx, { service, principal }, before);
        await removeProvider(tx, tenantId);
        await audit.record(tx, tenantId, { subject, before: showProvider(before) });
      });
      return { status: 204 };
    },
  });
}

function checkRoute({ paths }: PeopleApi, context: ProviderSettingsContext) {
  const { db, openid, secrets } = context;
  return route({
    method: 'post',
    path: paths.checkIdentityProvider,
    operationId: 'checkIdentityProvider',
    summary: 'See whether the identity provider answers, and what it can do',
    tag,
    auth: { scope: 'members:write' },
    limit: 'write',
    unaudited: 'it asks the provider, and changes nothing',
    responses: { 200: { description: 'What was found.', schema: providerCheck } },
    errors: ['no_identity_provider'],
    handler: async ({ principal: { tenantId } }) => {
      const row = await db.tenant(tenantId, (tx) => findProvider(tx, tenantId));
      if (row === undefined) throw noProvider();
      const found = await openid.discover(openidProviderOf(secrets, row));
      if (found.kind === 'fault') {
        const { detail } = found;
        const nothing = {
          authorization_endpoint: null,
          ends_sessions: false,
          tells_sign_outs: false,
        };
        return { status: 200, body: { ok: false, detail, ...nothing } };
      }
      const { authorization_endpoint, end_session_endpoint, ...can } = found.value;
      const body = {
        ok: true,
        detail: 'It answers.',
        authorization_endpoint: authorization_endpoint ?? null,
        ends_sessions: end_session_endpoint !== undefined,
        tells_sign_outs: can.backchannel_logout_supported === true,
      };
      return { status: 200, body };
    },
  });
}

/** Nobody lets a provider give roles that they could not give themselves. */
async function requireGrantsOf(tx: Tx, caller: Caller, row: IdentityProviderRow): Promise<void> {
  for (const roles of givenRoles(row)) await requireGrants(tx, caller, roles);
}

function noProvider() {
  return fail('no_identity_provider', 'This workspace has no identity provider.');
}

async function view(
  context: ProviderSettingsContext,
  tenantId: string,
  row: IdentityProviderRow | undefined,
) {
  const provider = row === undefined ? null : showProvider(row);
  return { provider, ...(await registeredAddresses(context, tenantId)) };
}
