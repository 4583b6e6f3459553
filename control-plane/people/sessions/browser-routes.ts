import type { Logger } from 'pino';
import { z } from 'zod';
import type { BrowserCall, Environment, Principal } from '../../platform/auth/principal.ts';
import { commonFail } from '../../platform/http/errors.ts';
import { hostOf } from '../../platform/http/host.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import { deviceLifeSeconds } from '../accounts/devices.ts';
import { findOwnAccount } from '../accounts/password-store.ts';
import { password } from '../accounts/passwords.ts';
import { fail } from '../errors.ts';
import { membershipsOf } from '../members/store.ts';
import { proveBoth } from '../second-factor/proof.ts';
import { code } from '../second-factor/schema.ts';
import { findSecondFactor } from '../second-factor/store.ts';
import { browserSession, browserSignIn } from './browser-schema.ts';
import { cookieName, readCookie, setCookie } from './cookie.ts';
import {
  everyMember,
  type OwnSession,
  requirePasswordSession,
  requireSession,
} from './own-session.ts';
import { memberScopesOf } from './sessions.ts';
import {
  findSessionBegin,
  originOf,
  proveSession,
  revokeSession,
  type SignedInBy,
} from './store.ts';
import {
  passwordNotAllowed,
  recordSignIn,
  signInToWorkspace,
  type WorkspaceSignInContext,
} from './workspace-sign-in.ts';

export interface BrowserRoutesContext extends WorkspaceSignInContext {
  readonly publicUrl: (environment: Environment) => string;
  /** Where a browser goes on to end the provider's session too; undefined: there is no such place. */
  readonly providerSignOutUrl: (ended: EndedSession) => Promise<string | undefined>;
}

/** A session that a provider vouched for, and the address of the page that ends it. */
export interface EndedSession {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly environment: Environment;
  readonly host: string;
  readonly log: Logger;
}

const path = '/v1/session';
const tag = 'Authentication';
const clientHeaders = z.object({ 'user-agent': z.string().optional() });

/**
 * The session of a person in a browser: a cookie that no script can read, for the pages of this
 * address. It is good for both services.
 */
export function browserSessionRoutes(context: BrowserRoutesContext): AnyRoute[] {
  return [
    beginRoute(context),
    showRoute(context),
    moveRoute(context),
    proveRoute(context),
    endRoute(context),
  ];
}

function beginRoute(context: BrowserRoutesContext) {
  const { db, sessions } = context;
  return route({
    method: 'post',
    path,
    operationId: 'beginBrowserSession',
    summary: 'Sign in in a browser',
    description:
      'Answers with a cookie in place of tokens. It ends when nobody did anything for a while ' +
      '(`ends.idle_seconds`), and after a day’s work however it is used. Tries are limited as for POST /v1/token.',
    tag,
    auth: { public: 'this is where a session begins' },
    request: { body: browserSignIn, headers: clientHeaders },
    responses: { 200: { description: 'Who is signed in.', schema: browserSession } },
    errors: [
      'wrong_password',
      'second_factor_required',
      'wrong_code',
      'not_a_member',
      'password_not_allowed',
      'too_many_attempts',
      'not_permitted',
    ],
    isOfWorkspace: true,
    handler: async ({ body, headers, ip, environment, browser, ...call }) => {
      requireOwnPage(browser);
      const place = { environment, ...browser };
      const device = readCookie(browser.cookie, cookieName('device', place));
      const signedIn = await signInToWorkspace(context, { ...body, device }, call);
      const { account, deviceId, chosen } = signedIn;
      const origin = originOf(ip, headers['user-agent']);
      const begun = await sessions.beginInBrowser(
        { userId: account.id, tenantId: chosen.tenant_id, environment },
        origin,
      );
      await recordSignIn(db, call.audit, signedIn);
      const known = await sessions.devices.issue(account, deviceId);
      const own = { userId: account.id, tenantId: chosen.tenant_id, sessionId: begun.sessionId };
      return {
        status: 200,
        body: await describeBrowserSession(context, own, environment),
        headers: {
          'set-cookie': [
            setCookie('session', place, begun.cookie, begun.lifeSeconds),
            setCookie('device', place, known, deviceLifeSeconds),
          ],
        },
      };
    },
  });
}

function showRoute(context: BrowserRoutesContext) {
  return route({
    method: 'get',
    path,
    operationId: 'showBrowserSession',
    summary: 'See who is signed in, and what they may do',
    tag,
    auth: { scope: everyMember },
    limit: 'read',
    responses: { 200: { description: 'Who is signed in.', schema: browserSession } },
    errors: ['session_needed'],
    handler: async ({ principal, environment }) => {
      const own = requireSession(principal);
      // Tokens of other clients end in a way of their own.
      const isInBrowser = principal.provenAt !== undefined;
      const describe = isInBrowser ? describeBrowserSession : describeSession;
      return { status: 200, body: await describe(context, own, environment, principal.signedInBy) };
    },
  });
}

const moveRequest = z
  .strictObject({ tenant_id: z.uuid().lowercase() })
  .meta({ id: 'BrowserSessionMove' });

function moveRoute(context: BrowserRoutesContext) {
  const { db, sessions } = context;
  return route({
    method: 'patch',
    path,
    operationId: 'moveBrowserSession',
    summary: 'Go to another workspace of yours',
    tag,
    auth: { scope: everyMember },
    limit: 'write',
    request: { body: moveRequest, headers: clientHeaders },
    responses: { 200: { description: 'Who is signed in.', schema: browserSession } },
    errors: ['session_needed', 'signed_in_by_provider', 'not_a_member', 'password_not_allowed'],
    isOfWorkspace: true,
    handler: async ({
      body: { tenant_id: tenantId },
      headers,
      principal,
      environment,
      ...call
    }) => {
      const { userId, tenantId: from, sessionId } = requireBrowserSession(principal);
      const all = await db.system((tx) => membershipsOf(tx, userId));
      const wanted = all.find((each) => each.tenant_id === tenantId);
      if (wanted === undefined) throw fail('not_a_member', 'You are not a member of this tenant.');
      if (!wanted.may_use_password) throw passwordNotAllowed();
      const origin = originOf(call.ip, headers['user-agent']);
      const who = { userId, tenantId, environment };
      // What was proven before stays so, and no longer.
      const begun = await sessions.beginInBrowser(who, origin, { provenAt: principal.provenAt });
      await db.tenant(from, (tx) => revokeSession(tx, from, sessionId));
      const place = { environment, ...call.browser };
      return {
        status: 200,
        body: await describeBrowserSession(
          context,
          { ...who, sessionId: begun.sessionId },
          environment,
        ),
        headers: { 'set-cookie': setCookie('session', place, begun.cookie, begun.lifeSeconds) },
      };
    },
  });
}

const proofRequest = z
  .strictObject({ password, code: code.optional().describe('With a second factor.') })
  .meta({ id: 'BrowserSessionProof' });

function proveRoute(context: BrowserRoutesContext) {
  const { db, clock, sessions } = context;
  return route({
    method: 'post',
    path: `${path}/proof`,
    operationId: 'proveBrowserSession',
    summary: 'Show that it is still you',
    description:
      'For ten minutes what asks for it may be done: keys, secrets, roles and approvals.',
    tag,
    auth: { scope: everyMember },
    limit: 'write',
    request: { body: proofRequest },
    responses: { 204: { description: 'It is you.' } },
    errors: [
      'session_needed',
      'signed_in_by_provider',
      'wrong_password',
      'second_factor_required',
      'wrong_code',
      'too_many_attempts',
    ],
    isOfWorkspace: true,
    handler: async ({ body, principal }) => {
      const own = requireBrowserSession(principal);
      await proveBoth(context, own, body);
      const { tenantId, sessionId } = own;
      await db.tenant(tenantId, (tx) => proveSession(tx, tenantId, sessionId, clock()));
      sessions.forget(sessionId);
      return { status: 204 };
    },
  });
}

const signedOut = z
  .strictObject({
    provider_sign_out_url: z
      .string()
      .describe('Where the browser goes on, to end the session at the identity provider too.'),
  })
  .meta({ id: 'SignedOut' });

function endRoute({ db, providerSignOutUrl }: BrowserRoutesContext) {
  return route({
    method: 'delete',
    path,
    operationId: 'endBrowserSession',
    summary: 'Sign out of this browser',
    tag,
    auth: { scope: everyMember },
    limit: 'write',
    responses: {
      200: { description: 'It has ended here; the provider’s own has not yet.', schema: signedOut },
      204: { description: 'The cookie opens nothing any more, on any node.' },
    },
    errors: ['session_needed'],
    isOfWorkspace: true,
    handler: async ({ principal, environment, browser, raw, log }) => {
      const { tenantId, sessionId } = requireSession(principal);
      await db.tenant(tenantId, (tx) => revokeSession(tx, tenantId, sessionId));
      const place = { environment, ...browser };
      const cookie = setCookie('session', place, '', 0);
      const headers = { 'set-cookie': cookie, 'clear-site-data': '"cache"' };
      if (principal.signedInBy !== 'provider') return { status: 204, headers };
      const ended = { tenantId, sessionId, environment, host: hostOf(raw), log };
      const provider_sign_out_url = await providerSignOutUrl(ended);
      if (provider_sign_out_url === undefined) return { status: 204, headers };
      return { status: 200, body: { provider_sign_out_url }, headers };
    },
  });
}

/** Another page must not sign a person in as somebody else. */
export function requireOwnPage({ isOwnPage }: BrowserCall): void {
  if (!isOwnPage)
    throw commonFail('not_permitted', 'Only a page of this address may sign in here.');
}

function requireBrowserSession(principal: Principal): OwnSession {
  if (principal.provenAt !== undefined) return requirePasswordSession(principal);
  throw fail(
    'session_needed',
    'This is of a session in a browser: begin one with POST /v1/session.',
  );
}

/** Also when it ends by itself. */
async function describeBrowserSession(
  context: BrowserRoutesContext,
  own: OwnSession,
  environment: Environment,
  signedInBy?: SignedInBy,
) {
  const { db, clock, sessions } = context;
  const [session, begunAt] = await Promise.all([
    describeSession(context, own, environment, signedInBy),
    db.tenant(own.tenantId, (tx) => findSessionBegin(tx, own.tenantId, own.sessionId)),
  ]);
  const { idleSeconds: idle_seconds, lifeSeconds } = sessions.browserLimits;
  const remaining_seconds = remainingSeconds(lifeSeconds, begunAt!, clock());
  return { ...session, ends: { idle_seconds, remaining_seconds } };
}

async function describeSession(
  { db, publicUrl }: BrowserRoutesContext,
  { tenantId, userId }: OwnSession,
  environment: Environment,
  signedInBy: SignedInBy = 'password',
) {
  const [account, all, factor] = await Promise.all([
    db.tenant(tenantId, (tx) => findOwnAccount(tx, userId)),
    db.system((tx) => membershipsOf(tx, userId)),
    db.system((tx) => findSecondFactor(tx, userId)),
  ]);
  const { name, email } = account!; // a session ends with its account
  const chosen = all.find(({ tenant_id }) => tenant_id === tenantId);
  if (chosen === undefined)
    throw fail('not_a_member', 'You are no member of this tenant any more.');
  const { name: tenantName, role, einvoicing_role } = chosen;
  const isByPassword = signedInBy === 'password';
  // A provider vouches for its own workspace: what the person has elsewhere is not shown to such a session.
  const within = isByPassword ? all.filter((each) => each.may_use_password) : [chosen];
  const hasSecondFactor = isByPassword && factor?.confirmed_at != null;
  return {
    user: { id: userId, name, email, has_second_factor: hasSecondFactor },
    tenant: { id: tenantId, name: tenantName },
    role,
    einvoicing_role,
    permissions: {
      einvoicing: [...memberScopesOf('sk', chosen)],
      messaging: [...memberScopesOf('jc', chosen)],
    },
    tenants: within.map(({ tenant_id, name: each }) => ({ id: tenant_id, name: each })),
    signed_in_by: signedInBy,
    environment,
    addresses: { live: publicUrl('live'), sandbox: publicUrl('sandbox') },
  };
}

function remainingSeconds(lifeSeconds: number, begunAt: Date, now: Date): number {
  return Math.max(0, Math.floor(lifeSeconds - (now.getTime() - begunAt.getTime()) / 1_000));
}
