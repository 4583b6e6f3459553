/**
 * Sessions of people who sign in.
 *
 *     const sessions = await openSessions({ db, secrets, clock, random });
 *     const pair = await sessions.begin(userId, tenantId, 'live');
 *     const next = await sessions.refresh(pair.refresh, 'live');
 *
 * A token is accepted only in the environment that issued it. The role is looked up at each request
 * and not carried in the token, so a changed role or a removal holds within `cacheMs`.
 */
import type { Family } from '../../platform/auth/api-key.ts';
import { bearerToken } from '../../platform/auth/authenticator.ts';
import type {
  Authenticate,
  AuthOutcome,
  Credentials,
  Environment,
} from '../../platform/auth/principal.ts';
import { openSigningKeys, type SigningKeysOptions } from '../../platform/auth/signing-keys.ts';
import { openRowCache } from '../../platform/db/row-cache.ts';
import { newId } from '../../platform/ids.ts';
import { type Devices, openDevices } from '../accounts/devices.ts';
import { einvoicingScopesOf, sharedScopesOf } from '../roles/einvoicing-roles.ts';
import type { MemberRoles } from '../roles/member-roles.ts';
import { scopesOf } from '../roles/messaging-roles.ts';
import { cookieName, readCookie } from './cookie.ts';
import type { OwnSession } from './own-session.ts';
import { everyMember } from './own-session.ts';
import {
  type FoundSession,
  findRepeatedTurn,
  findSession,
  insertSession,
  prolongSession,
  revokeSession,
  rotateSession,
  type SessionOrigin,
  type SignedInBy,
  sessionChannel,
} from './store.ts';
import { type Claims, lifeSeconds, type TokenPair, tokensSignedBy } from './tokens.ts';

type Refreshed =
  | { readonly kind: 'pair'; readonly pair: TokenPair }
  | { readonly kind: 'refused' }
  /** Used before, so somebody has a copy: the session was ended by it. */
  | {
      readonly kind: 'reused';
      readonly tenantId: string;
      readonly userId: string;
      readonly sessionId: string;
    };

interface BrowserSession {
  readonly sessionId: string;
  /** The value of its cookie. */
  readonly cookie: string;
  readonly lifeSeconds: number;
}

/** How long a session in a browser lasts. */
interface BrowserLimits {
  /** It lasts at least so long after each request of a person; what a page asks for by itself does not count. */
  readonly idleSeconds: number;
  /** It lasts no longer, however it is used. */
  readonly lifeSeconds: number;
}

export interface Sessions {
  readonly browserLimits: BrowserLimits;
  /** The tokens by which an account knows devices that have signed in before. */
  readonly devices: Devices;
  begin(
    userId: string,
    tenantId: string,
    environment: Environment,
    from?: SessionOrigin,
  ): Promise<TokenPair>;
  /** A new session in a browser, of somebody who showed who they are now, or at `provenAt`. */
  beginInBrowser(
    who: Omit<OwnSession, 'sessionId'> & { readonly environment: Environment },
    from: SessionOrigin,
    vouched?: { readonly provenAt?: Date | undefined; readonly signedInBy?: SignedInBy },
  ): Promise<BrowserSession>;
  /**
   * The next pair. A token that was used before ends its session, unless the use before it was a moment
   * ago: see `graceSeconds`.
   */
  refresh(token: string, environment: Environment): Promise<Refreshed>;
  /** The next request in the session sees what has just been changed of it. */
  forget(sessionId: string): void;
  /**
   * Authenticates session tokens at the service of that family, and leaves API keys to `keys`; fills
   * in the scopes of roles.
   */
  authenticate(family: Family, keys: Authenticate): Authenticate;
  close(): Promise<void>;
}

/**
 * An answer can be lost, and two windows of a browser refresh at the same moment: so long after its
 * first use a refresh token gives the same next pair again. The next one in use ends that.
 */
export const graceSeconds = 30;

/** A browser's session is prolonged this often at most while it is used, and not at each request. */
const prolongEveryMaxMs = 60_000;

export interface SessionsOptions extends SigningKeysOptions {
  /** After so long without a request of a person a browser's session ends. */
  readonly browserIdleMs: number;
  /** A browser's session ends after so long, however it is used. */
  readonly browserLifeMs: number;
}

/** The first node of an installation creates the signing key. */
export async function openSessions(options: SessionsOptions): Promise<Sessions> {
  const { db, clock, random, browserIdleMs, browserLifeMs } = options;
  const prolongEveryMs = Math.min(prolongEveryMaxMs, browserIdleMs / 2);
  const keys = await openSigningKeys(options);
  const tokens = tokensSignedBy(keys, clock);
  const sessions = await openRowCache({ db, clock, channel: sessionChannel, find: findSession });

  /** Who the cookie says it is; null when it opens nothing. An Authorization header goes before it. */
  async function readBrowserCookie({ authorization, browser, environment }: Credentials) {
    if (authorization !== undefined || browser === undefined) return undefined;
    const cookie = readCookie(browser.cookie, cookieName('session', { environment, ...browser }));
    if (cookie === undefined) return undefined;
    const claims = await tokens.read('cookie', cookie);
    return claims?.environment === environment ? claims : null;
  }

  async function acceptInBrowser(
    family: Family,
    { environment, browser }: Credentials,
    claims: Claims | null,
  ): Promise<AuthOutcome> {
    if (!browser!.isOwnPage) return refuse('invalid_credentials', foreignPage);
    if (claims === null) return refuse('revoked_credentials');
    const { tenant, session: id } = claims;
    const [session, now] = [await sessions.find(id), clock()];
    if (session === undefined || session.expires_at <= now) return refuse('revoked_credentials');
    const expiresAt = new Date(now.getTime() + browserIdleMs);
    const isLonger = expiresAt.getTime() - session.expires_at.getTime() > prolongEveryMs;
    if (browser!.isByPerson && isLonger) {
      await db.tenant(tenant, (tx) => prolongSession(tx, tenant, id, { now, expiresAt }));
    }
    return accept(family, session, environment, id);
  }

  return {
    browserLimits: {
      idleSeconds: (browserIdleMs - prolongEveryMs) / 1_000,
      lifeSeconds: browserLifeMs / 1_000,
    },
    devices: openDevices({ keys, clock, random }),
    begin: async (user, tenant, environment, from = { ip: null, user_agent: null }) => {
      const created_at = clock();
      const [session, id] = [newId('ses', clock, random), newId('ref', clock, random)];
      const row = { id: session, user_id: user, environment, refresh_id: id, created_at, ...from };
      const expires_at = endOf(created_at);
      const whole = { ...row, expires_at, proven_at: null, signed_in_by: 'password' } as const;
      await db.tenant(tenant, (tx) => insertSession(tx, tenant, whole));
      return tokens.pair({ user, tenant, session, environment, id }, created_at);
    },
    beginInBrowser: async ({ userId: user, tenantId: tenant, environment }, from, vouched = {}) => {
      const { provenAt, signedInBy: signed_in_by = 'password' } = vouched;
      const [created_at, id] = [clock(), newId('ses', clock, random)];
      const expires_at = new Date(created_at.getTime() + browserIdleMs);
      // It has no refresh token; its own id is one that no token has.
      const row = { id, user_id: user, environment, refresh_id: id, created_at, expires_at };
      const whole = { ...row, ...from, proven_at: provenAt ?? created_at, signed_in_by };
      await db.tenant(tenant, (tx) => insertSession(tx, tenant, whole));
      const lifeSeconds = browserLifeMs / 1_000;
      const claims = { user, tenant, session: id, environment };
      const cookie = await tokens.cookie(claims, lifeSeconds);
      return { sessionId: id, cookie, lifeSeconds };
    },
    refresh: async (token, environment) => {
      const claims = await tokens.read('refresh', token);
      if (claims?.environment !== environment) return { kind: 'refused' };
      const { tenant, user, session: sessionId, id: usedId } = claims;
      const [now, nextId] = [clock(), newId('ref', clock, random)];
      const turn = { sessionId, usedId, nextId, now, expiresAt: endOf(now) };
      const usedSince = new Date(now.getTime() - graceSeconds * 1_000);
      const outcome = await db.tenant(tenant, async (tx) => {
        if (await rotateSession(tx, tenant, turn)) return { id: nextId, at: now };
        const repeated = await findRepeatedTurn(tx, tenant, { sessionId, usedId, usedSince });
        if (repeated !== undefined) return { id: repeated.refresh_id, at: repeated.refreshed_at };
        return (await revokeSession(tx, tenant, sessionId)) ? 'ended' : 'refused';
      });
      if (outcome === 'refused') return { kind: 'refused' };
      if (outcome === 'ended') return { kind: 'reused', tenantId: tenant, userId: user, sessionId };
      const { id, at } = outcome;
      return { kind: 'pair', pair: await tokens.pair({ ...claims, id }, at) };
    },
    authenticate: (family, byKey) => async (credentials) => {
      const inBrowser = await readBrowserCookie(credentials);
      if (inBrowser !== undefined) return acceptInBrowser(family, credentials, inBrowser);
      const token = bearerToken(credentials.authorization);
      if (!token?.startsWith('eyJ')) return withRole(family, await byKey(credentials));
      const claims = await tokens.read('access', token);
      if (claims === undefined) return refuse('invalid_credentials');
      if (claims.environment !== credentials.environment) return refuse('wrong_environment');
      const session = await sessions.find(claims.session);
      if (session === undefined) return refuse('revoked_credentials');
      return accept(family, session, credentials.environment, claims.session);
    },
    forget: (sessionId) => sessions.forget(sessionId),
    close: () => sessions.close(),
  };
}

const details = {
  invalid_credentials: 'This session token is unknown or expired: refresh it, or sign in again.',
  wrong_environment: 'This session token belongs to the other address, where it was issued.',
  revoked_credentials: 'This session has ended: sign in again.',
};

function accept(
  family: Family,
  found: FoundSession,
  environment: Environment,
  sessionId: string,
): AuthOutcome {
  const { tenant_id: tenantId, user_id: id, limits, proven_at, signed_in_by: signedInBy } = found;
  const scopes = memberScopesOf(family, found);
  const principal = { tenantId, environment, id, sessionId, scopes, limits, signedInBy };
  return {
    kind: 'accepted',
    principal: proven_at === null ? principal : { ...principal, provenAt: proven_at },
  };
}

/** What a member may do at the service of a family of keys. */
export function memberScopesOf(
  family: Family,
  { role, einvoicing_role }: MemberRoles,
): readonly string[] {
  if (family === 'sk') {
    // Whoever is something in one service is a member, and has a session, at the address of both.
    return [...einvoicingScopesOf(role, einvoicing_role), ...(role === null ? [] : [everyMember])];
  }
  return [...scopesOf([`role:${role}`]), ...sharedScopesOf(einvoicing_role)];
}

/** A key of messaging stands for a role; one of e-invoicing names its permissions. */
function withRole(family: Family, outcome: AuthOutcome): AuthOutcome {
  if (outcome.kind === 'refused' || family === 'sk') return outcome;
  const { principal } = outcome;
  return { kind: 'accepted', principal: { ...principal, scopes: scopesOf(principal.scopes) } };
}

const foreignPage = 'A session of the console is taken from its own pages only.';

function refuse(code: keyof typeof details, detail = details[code]): AuthOutcome {
  return { kind: 'refused', code, detail };
}

function endOf(now: Date): Date {
  return new Date(now.getTime() + lifeSeconds.refresh * 1_000);
}
