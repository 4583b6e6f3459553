import { z } from 'zod';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import type { PeopleApi } from '../api.ts';
import { fail } from '../errors.ts';
import { refreshRequest, signedIn, tokenPair, tokenRequest } from './schema.ts';
import { originOf } from './store.ts';
import {
  recordSignIn,
  signInToWorkspace,
  type WorkspaceSignInContext,
} from './workspace-sign-in.ts';

export type TokenRoutesContext = WorkspaceSignInContext;

const tag = 'Authentication';
const clientHeaders = z.object({ 'user-agent': z.string().optional() });

/** The endpoints for signing in. */
export function tokenRoutes(api: PeopleApi, context: TokenRoutesContext): AnyRoute[] {
  return [beginRoute(api, context), refreshRoute(api, context)];
}

function beginRoute({ paths }: PeopleApi, context: TokenRoutesContext) {
  const { db, sessions } = context;
  return route({
    method: 'post',
    path: paths.token,
    operationId: 'createToken',
    summary: 'Sign in with e-mail and password',
    description:
      'A device that sends the `device` of an earlier sign-in has five tries in 15 minutes of its own. ' +
      'All others share five for each account; after these each next one waits longer, from 15 seconds ' +
      'to 15 minutes, until a day has passed.',
    tag,
    auth: { public: 'this is where a session begins' },
    request: { body: tokenRequest, headers: clientHeaders },
    responses: { 200: { description: 'The pair of tokens.', schema: signedIn } },
    errors: [
      'wrong_password',
      'second_factor_required',
      'wrong_code',
      'not_a_member',
      'password_not_allowed',
      'too_many_attempts',
    ],
    isOfWorkspace: true,
    handler: async ({ body, headers, ip, environment, ...call }) => {
      const signedIn = await signInToWorkspace(context, body, call);
      const { account, deviceId, chosen, all } = signedIn;
      const { tenant_id, role, einvoicing_role } = chosen;
      const origin = originOf(ip, headers['user-agent']);
      const pair = await sessions.begin(account.id, tenant_id, environment, origin);
      await recordSignIn(db, call.audit, signedIn);
      const tenants = all.map(({ tenant_id: id, may_use_password: _, ...member }) => {
        return { id, ...member };
      });
      const device = await sessions.devices.issue(account, deviceId);
      return { status: 200, body: { ...pair, tenant_id, role, einvoicing_role, device, tenants } };
    },
  });
}

function refreshRoute({ paths }: PeopleApi, { db, sessions }: TokenRoutesContext) {
  return route({
    method: 'post',
    path: paths.refresh,
    operationId: 'refreshToken',
    summary: 'Exchange a refresh token for the next pair',
    description:
      'Each is good once. When the answer was lost, the same token gives the next pair again within ' +
      '30 seconds; one that is used again later ends the session: somebody has a copy.',
    tag,
    auth: { public: 'the refresh token is the credential' },
    request: { body: refreshRequest },
    responses: { 200: { description: 'The next pair.', schema: tokenPair } },
    errors: ['refresh_refused'],
    isOfWorkspace: true,
    handler: async ({ body: { refresh }, environment, audit }) => {
      const outcome = await sessions.refresh(refresh, environment);
      if (outcome.kind === 'pair') return { status: 200, body: outcome.pair };
      if (outcome.kind === 'reused') {
        const { tenantId, userId, sessionId: subject } = outcome;
        const ended = { action: 'endSession', outcome: 'refused', subject, userId } as const;
        await db.tenant(tenantId, (tx) => audit.record(tx, tenantId, ended));
      }
      throw fail(
        'refresh_refused',
        `Used before, expired or of another environment: POST ${paths.token}.`,
      );
    },
  });
}
