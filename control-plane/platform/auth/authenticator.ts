/**
 * Accepts or refuses API keys.
 *
 *   const keys = await openAuthenticator({ db, clock, family: 'sk' });
 *   const outcome = await keys.authenticate({ authorization, ip, environment });
 *
 * A key that was revoked on any node is refused on all nodes within `cacheMs`, because a lookup is
 * cached for that long; usually within milliseconds, because NOTIFY empties the cache.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Db } from '../db/database.ts';
import { openRowCache } from '../db/row-cache.ts';
import type { Clock } from '../ids.ts';
import { isAllowed } from './address-ranges.ts';
import { type Family, parseKey } from './api-key.ts';
import type { Authenticate, RefusalCode } from './principal.ts';
import { findKey, keyChannel, touchKeys } from './store.ts';

/** The service whose keys are checked (`family`), and their database. */
export interface AuthenticatorOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly family: Family;
}

/** Accepts and refuses the API keys of one service. */
export interface Authenticator {
  readonly authenticate: Authenticate;
  /**
   * Stores when keys were last used since the last call; call it at intervals and at the end.
   */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the authenticator of one service. */
export async function openAuthenticator(options: AuthenticatorOptions): Promise<Authenticator> {
  const { db, clock, family } = options;
  const keys = await openRowCache({ db, clock, channel: keyChannel, find: findKey });
  const used = new Map<string, Date>();

  return {
    authenticate: async ({ authorization, environment, ip }) => {
      const token = bearerToken(authorization);
      if (token === undefined) return refuse('missing_credentials');
      const parsed = parseKey(token);
      if (parsed.kind !== 'key') return refuse('invalid_credentials', hints[parsed.kind]);
      if (parsed.family !== family) return refuse('invalid_credentials', hints.family);
      if (parsed.environment !== environment) {
        return refuse('wrong_environment', environmentHint(parsed.environment));
      }
      const key = await keys.find(parsed.id);
      if (!key || !timingSafeEqual(key.hash, parsed.hash)) return refuse('invalid_credentials');
      const now = clock();
      const known = { tenantId: key.tenant_id, id: key.id };
      if (key.revoked_at) return { ...refuse('revoked_credentials'), known };
      if (key.expires_at && key.expires_at <= now) {
        return { ...refuse('revoked_credentials', hints.expired), known };
      }
      if (!isAllowed(ip, key.allowed_ips)) return { ...refuse('ip_not_allowed'), known };
      used.set(key.id, now);
      return {
        kind: 'accepted',
        principal: {
          tenantId: key.tenant_id,
          environment,
          id: key.id,
          scopes: key.scopes,
          limits: key.limits,
        },
      };
    },
    flush: async () => {
      const seen = [...used];
      used.clear();
      if (seen.length === 0) return;
      const [ids, times] = [seen.map(([id]) => id), seen.map(([, at]) => at)];
      await db.system((tx) => touchKeys(tx, ids, times));
    },
    close: () => keys.close(),
  };
}

const details: Record<Exclude<RefusalCode, 'tenant_suspended'>, string> = {
  missing_credentials: 'Send the header "Authorization: Bearer <API key>".',
  invalid_credentials: 'This API key is not known.',
  revoked_credentials: 'This API key was revoked.',
  wrong_environment: '',
  ip_not_allowed: 'This API key may not be used from this address.',
};

const hints = {
  foreign: 'This is not an API key: one starts with sk_test_ or sk_live_ (jc_ for messaging).',
  mistyped: 'This API key is mistyped or cut short: its checksum does not fit.',
  family: 'This API key belongs to the other service (sk_: e-invoicing, jc_: messaging).',
  expired: 'This API key has expired.',
};

function environmentHint(environment: 'live' | 'sandbox'): string {
  return environment === 'live'
    ? 'A live key was sent to the sandbox address: use a test key here.'
    : 'A test key was sent to the production address: use a live key here.';
}

function refuse(code: keyof typeof details, detail = details[code]) {
  return { kind: 'refused', code, detail } as const;
}

/** The token of an Authorization header (RFC 6750), or undefined. */
export function bearerToken(authorization: string | undefined): string | undefined {
  return /^bearer +([\x21-\x7e]{1,4096})$/i.exec(authorization ?? '')?.[1];
}
