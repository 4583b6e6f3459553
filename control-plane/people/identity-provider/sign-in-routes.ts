/**
 * Signing in through the identity provider of a workspace. A page of ours begins it; the provider sends the browser back
 * to `callback.ts`.
 */
import type { Logger } from 'pino';
import { z } from 'zod';
import type { BrowserCall, Environment } from '../../platform/auth/principal.ts';
import type { Db } from '../../platform/db/database.ts';
import { hostOf } from '../../platform/http/host.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { fail } from '../errors.ts';
import { requireOwnPage } from '../sessions/browser-routes.ts';
import { setCookie } from '../sessions/cookie.ts';
import { everyMember, requireSession } from '../sessions/own-session.ts';
import { type AddressContext, addressOf, redirectUri } from './addresses.ts';
import type { Openid } from './openid.ts';
import { markOf, type PendingSignIn, type PendingSignIns, pendingSeconds } from './pending.ts';
import { returnPath, signInRequest, signInStart } from './schema.ts';
import { openidProviderOf } from './settings.ts';
import { findProvider, findTenantOfName, type IdentityProviderRow } from './store.ts';

export interface SignInRoutesContext extends AddressContext {
  readonly db: Db;
  readonly secrets: Pick<Secrets, 'seal' | 'open'>;
  readonly openid: Openid;
  readonly pending: PendingSignIns;
}

const tag = 'Authentication';
const responses = { 200: { description: 'Where the browser goes on.', schema: signInStart } };

export function signInRoutes(context: SignInRoutesContext): AnyRoute[] {
  return [beginRoute(context), proofRoute(context), trialRoute(context)];
}

function beginRoute(context: SignInRoutesContext) {
  const { db } = context;
  return route({
    method: 'post',
    path: '/v1/sign-in',
    operationId: 'beginProviderSignIn',
    summary: 'Sign in through the identity provider of a workspace',
    description:
      'Answers with the page of the provider, and with a cookie that binds what comes of it to this browser. The ' +
      'provider sends the browser back, which then has the cookie of a session.',
    tag,
    auth: { public: 'this is where a session begins' },
    request: { body: signInRequest },
    responses,
    errors: ['sign_in_name_unknown', 'provider_unreachable', 'not_permitted'],
    isOfWorkspace: true,
    handler: async ({ body: { workspace, return_to: returnTo }, ...call }) => {
      requireOwnPage(call.browser);
      const tenantId = await db.system((tx) => findTenantOfName(tx, workspace));
      const provider =
        tenantId === undefined
          ? undefined
          : await db.tenant(tenantId, (tx) => findProvider(tx, tenantId));
      if (tenantId === undefined || !provider?.is_enabled) {
        throw fail('sign_in_name_unknown', `No workspace is signed in to as "${workspace}".`);
      }
      return begin(context, call, provider, { purpose: 'sign-in', tenantId, returnTo });
    },
  });
}

const proofRequest = z
  .strictObject({ return_to: returnPath.default('/') })
  .meta({ id: 'ProviderProofRequest' });

function proofRoute(context: SignInRoutesContext) {
  return route({
    method: 'post',
    path: '/v1/sign-in/proof',
    operationId: 'beginProviderProof',
    summary: 'Show at the identity provider that it is still you',
    description:
      'For sessions that it vouched for, in place of POST /v1/session/proof: the provider asks for all that it asks ' +
      'for at a sign-in. Then, for ten minutes, what asks for it may be done: keys, secrets and approvals.',
    tag,
    auth: { scope: everyMember },
    limit: 'write',
    unaudited: 'nothing has changed before the provider has answered',
    request: { body: proofRequest.prefault({}) },
    responses,
    errors: ['session_needed', 'no_identity_provider', 'provider_unreachable'],
    handler: async ({ body: { return_to: returnTo }, principal, ...call }) => {
      const { tenantId, sessionId } = requireSession(principal);
      const provider = await context.db.tenant(tenantId, (tx) => findProvider(tx, tenantId));
      if (principal.signedInBy !== 'provider' || !provider?.is_enabled) throw noProvider();
      const { proof_acr_values: acr } = provider;
      // `max_age` makes the provider say when; some heed only one of the two.
      const fresh = { prompt: 'login', max_age: '0' };
      const asked = acr.length === 0 ? fresh : { ...fresh, acr_values: acr.join(' ') };
      const what = { purpose: 'proof', tenantId, sessionId, returnTo } as const;
      return begin(context, call, provider, what, asked);
    },
  });
}

function trialRoute(context: SignInRoutesContext) {
  return route({
    method: 'post',
    path: '/v1/sign-in/trial',
    operationId: 'tryIdentityProvider',
    summary: 'Try the identity provider of the workspace',
    description:
      'As a sign-in, but no session begins and no member changes: what came of it, and which roles would have, is ' +
      '`last_trial` of the settings afterwards.',
    tag,
    auth: { scope: 'members:write' },
    limit: 'write',
    unaudited: 'nothing has changed before the provider has answered',
    responses,
    errors: ['session_needed', 'no_identity_provider', 'provider_unreachable'],
    handler: async ({ principal, ...call }) => {
      const { tenantId } = requireSession(principal);
      const provider = await context.db.tenant(tenantId, (tx) => findProvider(tx, tenantId));
      if (provider === undefined) throw noProvider();
      const what = { purpose: 'trial', tenantId, returnTo: '/identity-provider' } as const;
      return begin(context, call, provider, what, { prompt: 'login' });
    },
  });
}

interface BeginCall {
  readonly environment: Environment;
  readonly browser: BrowserCall;
  readonly raw: Parameters<typeof hostOf>[0];
  readonly log: Logger;
}

type What = Pick<PendingSignIn, 'purpose' | 'tenantId' | 'returnTo'> & {
  readonly sessionId?: string | undefined;
};

async function begin(
  context: SignInRoutesContext,
  { environment, browser, raw, log }: BeginCall,
  provider: IdentityProviderRow,
  { sessionId, ...what }: What,
  more: Readonly<Record<string, string>> = {},
) {
  const { openid, secrets, pending } = context;
  const address = await addressOf(context, what.tenantId, { host: hostOf(raw), environment });
  const begun = pending.begin({
    ...what,
    sessionId: sessionId ?? null,
    providerMark: markOf(provider),
    address,
  });
  const checks = { ...begun, redirectUri: redirectUri(address, what.tenantId) };
  const parameters = { scope: provider.scopes.join(' '), ...more };
  const found = await openid.authorizationUrl(
    openidProviderOf(secrets, provider),
    checks,
    parameters,
  );
  if (found.kind === 'fault') {
    log.warn({ tenantId: what.tenantId, detail: found.detail }, 'an identity provider fails');
    throw fail('provider_unreachable', 'Your identity provider does not answer: try again later.');
  }
  const place = { environment, ...browser };
  const cookie = setCookie('sign-in', place, pending.seal(begun, environment), pendingSeconds);
  return { status: 200, body: { url: found.value }, headers: { 'set-cookie': cookie } };
}

function noProvider() {
  return fail('no_identity_provider', 'No identity provider signs you in to this workspace.');
}
