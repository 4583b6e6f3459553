/** Where a provider sends the browser back to: it becomes a session, a proof, or what is told of a trial. */
import { z } from 'zod';
import { type AnyRoute, type RequestCall, route } from '../../platform/http/route.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import { networkKey } from '../accounts/sign-in.ts';
import { takeSignIn } from '../accounts/store.ts';
import type { MemberHooks } from '../members/hooks.ts';
import { cookieName, readCookie, setCookie } from '../sessions/cookie.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { originOf, proveSession, revokeSession } from '../sessions/store.ts';
import { redirectUri } from './addresses.ts';
import { findProviderSession, insertProviderSession, useOnce } from './identity-store.ts';
import { type Admission, admit, refusal } from './members.ts';
import type { Vouched } from './openid.ts';
import { markOf, type PendingSignIn, pendingSeconds } from './pending.ts';
import { groupsOf, personOf, rolesOf } from './person.ts';
import { isPrintable, printable } from './printable.ts';
import type { SignInProblem } from './problem.ts';
import { openidProviderOf } from './settings.ts';
import type { SignInRoutesContext } from './sign-in-routes.ts';
import { findProvider, type IdentityProviderRow, lockProvider, saveTrial } from './store.ts';

export interface CallbackContext extends SignInRoutesContext {
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly sessions: Sessions;
  readonly memberHooks: MemberHooks;
}

/** What rounding to seconds, at both ends, may make of a time span. */
const roundingMs = 2_000;
/** A longer ID token is not kept, and so not shown when the person signs out. */
const idTokenMax = 6_000;
const sidMax = 500;
const trialGroupsMax = 50;
const trialClaimsMax = 100;
const shownMax = 300;

// Providers add parameters of their own.
const callbackQuery = z.looseObject({
  code: z.string().optional().describe('Good once, to be redeemed at the provider.'),
  state: z.string().optional(),
  iss: z.string().optional().describe('Who answers (RFC 9207).'),
  error: z.string().optional().describe('Why there is no code.'),
});

export function callbackRoute(context: CallbackContext): AnyRoute {
  return route({
    method: 'get',
    path: '/v1/sign-in/{tenant_id}/callback',
    operationId: 'finishProviderSignIn',
    summary: 'Come back from the identity provider',
    description:
      'The redirect URI that is registered at the provider. Leads on to the page where the sign-in began; when ' +
      'nobody was signed in, to the page that says why, with a code and the id of this request.',
    tag: 'Authentication',
    auth: {
      public:
        'the answer of the provider is the credential, together with the cookie of this browser',
    },
    request: {
      params: z.strictObject({ tenant_id: z.uuid().lowercase() }),
      query: callbackQuery,
      headers: z.object({ 'user-agent': z.string().optional() }),
    },
    responses: { 303: { description: 'On to a page of the console.' } },
    isOfWorkspace: true,
    handler: async ({ params: { tenant_id: tenantId }, query, headers, ...call }) => {
      const { environment, browser, raw } = call;
      const place = { environment, ...browser };
      const cookie = readCookie(browser.cookie, cookieName('sign-in', place));
      const known = cookie === undefined ? undefined : context.pending.open(cookie, environment);
      const isAnswer = known?.tenantId === tenantId && known.state === query.state;
      const begun = isAnswer ? known : undefined;
      const spent = setCookie('sign-in', place, '', 0);
      if (begun === undefined) {
        const to = leadTo(context.publicUrl(environment), problemPath('sign_in_expired', call));
        // Another sign-in of this browser may be under way: its cookie stays.
        return { status: 303, headers: { location: to } };
      }
      const url = new URL(raw.url ?? '', begun.address);
      const answered = new URL(redirectUri(begun.address, tenantId) + url.search);
      const origin = originOf(call.ip, headers['user-agent']);
      const outcome = await finish(context, begun, answered, { ...call, origin });
      const cookies = [spent, ...(outcome.cookie === undefined ? [] : [outcome.cookie])];
      const location = leadTo(begun.address, outcome.path);
      return { status: 303, headers: { location, 'set-cookie': cookies } };
    },
  });
}

interface Call
  extends Pick<
    RequestCall,
    'environment' | 'browser' | 'countedIp' | 'audit' | 'log' | 'requestId'
  > {
  readonly origin: ReturnType<typeof originOf>;
}

/** Where the browser goes on, and the session that it has now. */
interface Finished {
  readonly path: string;
  readonly cookie?: string;
}

async function finish(
  context: CallbackContext,
  begun: PendingSignIn,
  answered: URL,
  call: Call,
): Promise<Finished> {
  const { db, clock, openid, secrets } = context;
  const { tenantId, state } = begun;
  const until = new Date(clock().getTime() + pendingSeconds * 1_000);
  const { isFirst, provider } = await db.tenant(tenantId, async (tx) => ({
    isFirst: await useOnce(tx, tenantId, `state ${state}`, until),
    provider: await findProvider(tx, tenantId),
  }));
  if (!isFirst) return failed(context, begun, call, { problem: 'sign_in_expired' });
  if (!isUnchanged(provider, begun)) {
    return failed(context, begun, call, { problem: 'provider_changed' });
  }
  const redeemed = await openid.redeem(
    openidProviderOf(secrets, provider),
    answered,
    { ...begun, redirectUri: redirectUri(begun.address, tenantId) },
    (claims) => claims.email !== undefined && groupsOf(claims, provider.groups_claim).length > 0,
  );
  if (redeemed.kind === 'fault') return failed(context, begun, call, redeemed);
  switch (begun.purpose) {
    case 'trial':
      return tell(context, begun, provider, redeemed.value);
    case 'proof':
      return prove(context, begun, call, provider, redeemed.value);
    case 'sign-in':
      return signIn(context, begun, call, provider, redeemed.value);
  }
}

/** Whether it is still the provider that the sign-in was begun with. */
function isUnchanged(
  provider: IdentityProviderRow | undefined,
  { providerMark, purpose }: PendingSignIn,
): provider is IdentityProviderRow {
  const isSame = provider !== undefined && markOf(provider) === providerMark;
  return isSame && (provider.is_enabled || purpose === 'trial');
}

async function signIn(
  context: CallbackContext,
  begun: PendingSignIn,
  call: Call,
  provider: IdentityProviderRow,
  { claims, idToken, authenticatedMsBefore }: Vouched,
): Promise<Finished> {
  const { db, sessions, secrets, clock } = context;
  const { tenantId } = begun;
  const { environment, audit, origin } = call;
  const person = personOf(claims, provider);
  if (person.kind === 'problem') {
    return failed(context, begun, call, { ...person, subject: claims.sub });
  }
  const { issuer, subject } = person.value;
  const admission = await db.tenant(tenantId, async (tx): Promise<Admission> => {
    const now = await lockProvider(tx, tenantId);
    return isUnchanged(now, begun)
      ? admit(tx, tenantId, { ...context, audit }, now, person.value)
      : refusal('provider_changed');
  });
  if (admission.kind === 'refused') {
    return failed(context, begun, call, { problem: admission.problem, subject });
  }
  const { userId } = admission;
  const session = await sessions.beginInBrowser({ userId, tenantId, environment }, origin, {
    // A provider that keeps people signed in has not seen them now: they are asked again before keys and secrets.
    provenAt:
      authenticatedMsBefore === undefined ? new Date(0) : before(clock(), authenticatedMsBefore),
    signedInBy: 'provider',
  });
  const { sessionId: id } = session;
  const { sid } = claims;
  const isOpen = await db.tenant(tenantId, async (tx) => {
    // Other settings end the sessions that are there: this one must not come a moment after.
    if (!isUnchanged(await lockProvider(tx, tenantId), begun)) {
      await revokeSession(tx, tenantId, id);
      return false;
    }
    await insertProviderSession(tx, tenantId, {
      id,
      issuer,
      subject,
      sid: typeof sid === 'string' && isPrintable(sid, sidMax) ? sid : null,
      sealed_id_token: idToken.length <= idTokenMax ? secrets.seal(idToken, id) : null,
    });
    const after = { by: 'provider', issuer, subject };
    await audit.record(tx, tenantId, { action: 'signIn', subject: userId, userId, after });
    return true;
  });
  if (!isOpen) return failed(context, begun, call, { problem: 'provider_changed', subject });
  const place = { environment, ...call.browser };
  return {
    path: begun.returnTo,
    cookie: setCookie('session', place, session.cookie, session.lifeSeconds),
  };
}

async function prove(
  context: CallbackContext,
  begun: PendingSignIn,
  call: Call,
  provider: IdentityProviderRow,
  { claims, authenticatedMsBefore = Number.POSITIVE_INFINITY }: Vouched,
): Promise<Finished> {
  const { db, clock, sessions } = context;
  const { tenantId, sessionId } = begun;
  const session = await db.tenant(tenantId, (tx) => findProviderSession(tx, tenantId, sessionId!));
  if (session === undefined) return failed(context, begun, call, { problem: 'session_ended' });
  const { sub: subject } = claims;
  if (session.issuer !== provider.issuer || session.subject !== subject) {
    return failed(context, begun, call, { problem: 'other_person', subject });
  }
  const isFresh = authenticatedMsBefore <= clock().getTime() - begun.begunAt + roundingMs;
  if (!isFresh || !isStrong(claims, provider)) {
    return failed(context, begun, call, { problem: 'proof_too_weak', subject });
  }
  await db.tenant(tenantId, async (tx) => {
    await proveSession(tx, tenantId, session.id, clock());
    const recorded = { action: 'proveByProvider', subject: session.id };
    await call.audit.record(tx, tenantId, recorded);
  });
  sessions.forget(session.id);
  return { path: begun.returnTo };
}

function before(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() - milliseconds);
}

/** Whether the person showed who they are by the ways that the workspace asks for. */
function isStrong(
  { acr, amr }: Vouched['claims'],
  { proof_acr_values: acrs, proof_amr_values: amrs }: IdentityProviderRow,
): boolean {
  const methods = Array.isArray(amr) ? amr : [amr];
  return (
    (acrs.length === 0 || acrs.some((each) => each === acr)) &&
    (amrs.length === 0 || amrs.some((each) => methods.includes(each)))
  );
}

/** Writes down what a sign-in would have come to. */
async function tell(
  context: CallbackContext,
  { tenantId, returnTo }: PendingSignIn,
  provider: IdentityProviderRow,
  { claims }: Vouched,
): Promise<Finished> {
  const { db, clock } = context;
  const person = personOf(claims, provider);
  const groups = groupsOf(claims, provider.groups_claim);
  const roles = rolesOf(groups, provider);
  const refusal = roles === undefined ? 'no_role' : null;
  const { sub, email } = claims;
  const trial = {
    at: clock().toISOString(),
    problem: person.kind === 'problem' ? person.problem : refusal,
    detail: null,
    subject: shown(sub),
    email: shown(email),
    groups: groups.slice(0, trialGroupsMax),
    role: roles?.role ?? null,
    einvoicing_role: roles?.einvoicing_role ?? null,
    claims: Object.keys(claims)
      .slice(0, trialClaimsMax)
      .map((name) => printable(name, shownMax)),
  };
  await db.tenant(tenantId, (tx) => saveTrial(tx, tenantId, trial));
  return { path: returnTo };
}

function shown(claim: unknown): string | null {
  return typeof claim === 'string' ? printable(claim, shownMax) : null;
}

interface Failure {
  readonly problem: SignInProblem;
  /** For the administrator: in the audit log, and in what is told of a trial. */
  readonly detail?: string;
  readonly subject?: unknown;
}

async function failed(
  { db, clock }: CallbackContext,
  { purpose, tenantId, returnTo }: PendingSignIn,
  call: Call,
  { problem, detail, subject }: Failure,
): Promise<Finished> {
  call.log.info({ tenantId, purpose, problem, detail }, 'a sign-in through a provider failed');
  const who = { subject: shown(subject) };
  if (purpose === 'trial') {
    const nothing = { email: null, groups: [], role: null, einvoicing_role: null };
    const at = clock().toISOString();
    const trial = { ...nothing, ...who, at, problem, detail: detail ?? null, claims: [] };
    await db.tenant(tenantId, (tx) => saveTrial(tx, tenantId, trial));
    return { path: returnTo };
  }
  await db.tenant(tenantId, async (tx) => {
    // Whoever goes on being refused fills no log.
    const key = call.countedIp === undefined ? [] : [`${networkKey(call.countedIp)} provider`];
    if ((await takeSignIn(tx, key, clock())) !== undefined) return;
    await call.audit.record(tx, tenantId, {
      action: purpose === 'proof' ? 'proveByProvider' : 'signIn',
      outcome: 'refused',
      after: { by: 'provider', code: problem, detail, ...who },
    });
  });
  return { path: problemPath(problem, call, purpose === 'proof' ? returnTo : '/sign-in') };
}

function problemPath(
  problem: SignInProblem,
  { requestId }: Pick<Call, 'requestId'>,
  page = '/sign-in',
) {
  const what = new URLSearchParams({ problem, request_id: requestId });
  return `${page}${page.includes('?') ? '&' : '?'}${what}`;
}

/** A page of the console: whatever the path holds, it stays at this address. */
function leadTo(address: string, path: string): string {
  return `${address}/console${path}`;
}
