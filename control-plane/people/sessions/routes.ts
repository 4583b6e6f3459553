import { z } from 'zod';
import type { RequestAudit } from '../../platform/audit/request-audit.ts';
import type { Db } from '../../platform/db/database.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import { type SignInOutcome, signIn } from '../accounts/sign-in.ts';
import { findAccount } from '../accounts/store.ts';
import type { PeopleApi } from '../api.ts';
import { recordInWorkspaces } from '../audit-log/every-workspace.ts';
import { fail } from '../errors.ts';
import { membershipsOf } from '../members/store.ts';
import { checkCode, type SecondFactorContext } from '../second-factor/second-factor.ts';
import { refreshRequest, signedIn, tokenPair, tokenRequest } from './schema.ts';
import type { Sessions } from './sessions.ts';

export interface TokenRoutesContext extends SecondFactorContext {
  readonly sessions: Sessions;
}

const tag = 'Authentication';
const clientHeaders = z.object({ 'user-agent': z.string().optional() });

/** The endpoints for signing in. */
export function tokenRoutes(api: PeopleApi, context: TokenRoutesContext): AnyRoute[] {
  return [beginRoute(api, context), refreshRoute(api, context)];
}

function beginRoute({ paths }: PeopleApi, context: TokenRoutesContext) {
  const { db, clock, sessions } = context;
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
      'too_many_attempts',
    ],
    isOfWorkspace: true,
    handler: async ({ body, headers, ip: callerIp, countedIp: ip, environment, audit, log }) => {
      const { tenant_id, device: token, code, ...typed } = body;
      const device = token === undefined ? undefined : await sessions.devices.read(token);
      const outcome = await signIn({ db, clock }, { ...typed, ip, device }, (userId) =>
        checkCode(context, userId, code),
      );
      if (outcome.kind === 'code_missing') throw refusalOf(outcome.kind);
      if (outcome.kind !== 'signed_in') {
        // Not waited for: how long the answer takes would say whether there is such an account.
        recordRefusal(db, audit, typed.email).catch((err: unknown) => {
          log.error({ err }, 'a refused sign-in is missing in the audit log');
        });
        throw refusalOf(outcome.kind);
      }
      const { account, deviceId } = outcome;
      const all = await db.system((tx) => membershipsOf(tx, account.id));
      const wanted = all.find((each) => tenant_id === undefined || each.tenant_id === tenant_id);
      if (wanted === undefined) throw fail('not_a_member', 'You are not a member of this tenant.');
      const { tenant_id: tenantId } = wanted;
      const origin = { ip: callerIp, user_agent: headers['user-agent']?.slice(0, 300) ?? null };
      const pair = await sessions.begin(account.id, tenantId, environment, origin);
      await db.tenant(tenantId, (tx) =>
        audit.record(tx, tenantId, { action: 'signIn', subject: account.id, userId: account.id }),
      );
      const tenants = all.map(({ tenant_id: id, ...member }) => ({ id, ...member }));
      const { name: _, ...chosen } = wanted;
      const known = await sessions.devices.issue(account, deviceId);
      return { status: 200, body: { ...pair, ...chosen, device: known, tenants } };
    },
  });
}

function refusalOf(kind: Exclude<SignInOutcome['kind'], 'signed_in'>) {
  switch (kind) {
    case 'wrong_password':
      return fail('wrong_password', 'E-mail and password do not fit.');
    case 'code_missing':
      return fail(
        'second_factor_required',
        'Send as `code` too what your authenticator app shows, or a recovery code.',
      );
    case 'wrong_code':
      return fail(
        'wrong_code',
        'This code is wrong, was used before, or is over: take the next one.',
      );
  }
}

/** In the logs of all workspaces of the account; where there is none, in the log of the host. */
async function recordRefusal(db: Db, audit: RequestAudit, email: string): Promise<void> {
  const refused = { action: 'signIn', outcome: 'refused' } as const;
  const { subject, memberships } = await db.system(async (tx) => {
    const account = await findAccount(tx, email);
    if (account !== undefined) {
      return { subject: account.id, memberships: await membershipsOf(tx, account.id) };
    }
    // Without the address: people type passwords into that field by mistake.
    await audit.recordForHost(tx, refused);
    return { subject: null, memberships: [] };
  });
  await recordInWorkspaces(db, audit, memberships, { ...refused, subject });
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
