import type { Db } from '../../platform/db/database.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import { fail } from '../errors.ts';
import type { Role } from '../rbac.ts';
import { refreshRequest, signedIn, tokenPair, tokenRequest } from './schema.ts';
import type { Sessions } from './sessions.ts';
import { signIn } from './sign-in.ts';
import { membershipsOf } from './store.ts';

export interface TokenRoutesContext {
  readonly db: Db;
  readonly sessions: Sessions;
}

const tag = 'Authentication';

export function tokenRoutes(context: TokenRoutesContext): AnyRoute[] {
  return [beginRoute(context), refreshRoute(context)];
}

function beginRoute({ db, sessions }: TokenRoutesContext) {
  return route({
    method: 'post',
    path: '/token/',
    operationId: 'createToken',
    summary: 'Sign in with e-mail and password',
    description: 'After five wrong passwords an account waits for up to 15 minutes.',
    tag,
    auth: { public: 'this is where a session begins' },
    request: { body: tokenRequest },
    responses: { 200: { description: 'The pair of tokens.', schema: signedIn } },
    errors: ['wrong_password', 'not_a_member', 'too_many_attempts'],
    handler: async ({ body: { email, password, tenant_id }, ip, environment }) => {
      const account = await signIn(db, { email, password, ip });
      if (account === undefined) {
        throw fail('wrong_password', 'E-mail and password do not fit.');
      }
      const all = await db.system((tx) => membershipsOf(tx, account.id));
      const wanted = all.find((each) => tenant_id === undefined || each.tenant_id === tenant_id);
      if (wanted === undefined) throw fail('not_a_member', 'You are no member of this tenant.');
      const pair = await sessions.begin(account.id, wanted.tenant_id, environment);
      const tenants = all.map(({ tenant_id: id, name, role }) => ({
        id,
        name,
        role: role as Role,
      }));
      const { tenant_id: tenantId, role } = wanted;
      return { status: 200, body: { ...pair, tenant_id: tenantId, role, tenants } };
    },
  });
}

function refreshRoute({ sessions }: TokenRoutesContext) {
  return route({
    method: 'post',
    path: '/refresh/',
    operationId: 'refreshToken',
    summary: 'Exchange a refresh token for the next pair',
    description: 'Each is good once. One that is used again ends the session: somebody has a copy.',
    tag,
    auth: { public: 'the refresh token is the credential' },
    request: { body: refreshRequest },
    responses: { 200: { description: 'The next pair.', schema: tokenPair } },
    errors: ['refresh_refused'],
    handler: async ({ body: { refresh }, environment }) => {
      const pair = await sessions.refresh(refresh, environment);
      if (pair === undefined) {
        throw fail('refresh_refused', 'Used before, ended, or of another address: POST /token/.');
      }
      return { status: 200, body: pair };
    },
  });
}
