/**
 * Sessions of people.    const sessions = await openSessions({ db, secrets, clock, random });
 * const pair = await sessions.begin(userId, tenantId, 'live');   const next = await
 * sessions.refresh(pair.refresh, 'live');  A token is good only at the address that issued it. The
 * role is looked up, not carried: a member who is removed, or given another role, feels it within
 * `cacheMs`.
 */
import { bearerToken, cacheMs } from '../../platform/auth/authenticator.ts';
import type { Authenticate, AuthOutcome, Environment } from '../../platform/auth/principal.ts';
import { newId } from '../../platform/ids.ts';
import { scopesOf } from '../rbac.ts';
import { openSigningKeys, type SigningKeysOptions } from './signing-keys.ts';
import {
  type FoundSession,
  findSession,
  insertSession,
  revokeSession,
  rotateSession,
  sessionChannel,
} from './store.ts';
import { lifeSeconds, type TokenPair, tokensSignedBy } from './tokens.ts';

export interface Sessions {
  begin(userId: string, tenantId: string, environment: Environment): Promise<TokenPair>;
  /**
   * The next pair; undefined when the token is no good. One that was used before ends its session.
   */
  refresh(token: string, environment: Environment): Promise<TokenPair | undefined>;
  /** Knows callers by session tokens, and leaves API keys to `keys`, roles of theirs filled in. */
  authenticate(keys: Authenticate): Authenticate;
  close(): Promise<void>;
}

const cachedMax = 10_000;

/** Opens them; the first node of an installation makes the key that signs. */
export async function openSessions(options: SigningKeysOptions): Promise<Sessions> {
  const { db, clock, random } = options;
  const tokens = tokensSignedBy(await openSigningKeys(options), clock);
  const lookUp = await openLookUp(options);
  return {
    begin: async (user, tenant, environment) => {
      const created_at = clock();
      const [session, id] = [newId('ses', clock, random), newId('ref', clock, random)];
      const row = { id: session, user_id: user, environment, refresh_id: id, created_at };
      const expires_at = endOf(created_at);
      await db.tenant(tenant, (tx) => insertSession(tx, tenant, { ...row, expires_at }));
      return tokens.pair({ user, tenant, session, environment, id });
    },
    refresh: async (token, environment) => {
      const claims = await tokens.read('refresh', token);
      if (claims?.environment !== environment) return undefined;
      const { tenant, session: sessionId, id: usedId } = claims;
      const [now, nextId] = [clock(), newId('ref', clock, random)];
      const turn = { sessionId, usedId, nextId, now, expiresAt: endOf(now) };
      const isNewest = await db.tenant(tenant, async (tx) => {
        if (await rotateSession(tx, tenant, turn)) return true;
        await revokeSession(tx, tenant, sessionId);
        return false;
      });
      return isNewest ? tokens.pair({ ...claims, id: nextId }) : undefined;
    },
    authenticate: (byKey) => async (credentials) => {
      const token = bearerToken(credentials.authorization);
      if (!token?.startsWith('eyJ')) return withRole(await byKey(credentials));
      const claims = await tokens.read('access', token);
      if (claims === undefined) return refuse('invalid_credentials');
      if (claims.environment !== credentials.environment) return refuse('wrong_environment');
      const found = await lookUp.find(claims.session);
      if (found === undefined) return refuse('revoked_credentials');
      return accept(found, credentials.environment);
    },
    close: lookUp.close,
  };
}

/** Sessions as the database has them, trusted for `cacheMs`; news of an end empties the entry. */
async function openLookUp({ db, clock }: SigningKeysOptions) {
  type Entry = { readonly at: number; readonly session: Promise<FoundSession | undefined> };
  const cache = new Map<string, Entry>();
  const listening = await db.listen(sessionChannel, (id) => {
    if (id === '') cache.clear();
    else cache.delete(id);
  });
  return {
    find: (id: string): Promise<FoundSession | undefined> => {
      const now = clock().getTime();
      const known = cache.get(id);
      if (known && now - known.at < cacheMs && now >= known.at) return known.session;
      const entry = { at: now, session: db.system((tx) => findSession(tx, id)) };
      cache.delete(id);
      cache.set(id, entry);
      entry.session.catch(() => cache.get(id) === entry && cache.delete(id));
      if (cache.size > cachedMax) cache.delete(cache.keys().next().value!);
      return entry.session;
    },
    close: () => listening.stop(),
  };
}

const details = {
  invalid_credentials: 'This session token is unknown or over: POST /refresh/, or POST /token/.',
  wrong_environment: 'This session token belongs to the other address, where it was issued.',
  revoked_credentials: 'This session has ended: POST /token/ begins another.',
};

function accept(found: FoundSession, environment: Environment): AuthOutcome {
  const { tenant_id: tenantId, user_id: id, role, limits } = found;
  const scopes = scopesOf([`role:${role}`]);
  return { kind: 'accepted', principal: { tenantId, environment, id, scopes, limits } };
}

function withRole(outcome: AuthOutcome): AuthOutcome {
  if (outcome.kind === 'refused') return outcome;
  const { principal } = outcome;
  return { kind: 'accepted', principal: { ...principal, scopes: scopesOf(principal.scopes) } };
}

function refuse(code: keyof typeof details): AuthOutcome {
  return { kind: 'refused', code, detail: details[code] };
}

function endOf(now: Date): Date {
  return new Date(now.getTime() + lifeSeconds.refresh * 1_000);
}
