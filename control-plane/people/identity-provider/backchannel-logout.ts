import { decodeJwt } from 'jose';
import { z } from 'zod';
import type { Db } from '../../platform/db/database.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import type { Clock } from '../../platform/ids.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { fail } from '../errors.ts';
import { endSessions } from '../sessions/store.ts';
import { findPeopleSignedIn, useOnce } from './identity-store.ts';
import type { Openid } from './openid.ts';
import { isPrintable } from './printable.ts';
import { openidProviderOf } from './settings.ts';
import { findProvider } from './store.ts';

export interface BackchannelLogoutContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: Pick<Secrets, 'seal' | 'open'>;
  readonly openid: Openid;
}

const bodyBytesMax = 16 * 1_024;
/** Longer than a token is good, with the clocks of both sides off. */
const rememberedMs = 15 * 60_000;
const jtiMax = 150;
const wordMax = 500;

/** Where a provider says that somebody signed out there (OpenID Connect Back-Channel Logout). */
export function backchannelLogoutRoute(context: BackchannelLogoutContext): AnyRoute {
  const { db, clock, secrets, openid } = context;
  return route({
    method: 'post',
    path: '/v1/sign-in/{tenant_id}/backchannel-logout',
    operationId: 'logOutByProvider',
    summary: 'Have all sessions of a person ended, by their identity provider',
    description:
      'The back-channel logout URI that is registered at the provider; a form with `logout_token`. All of the ' +
      'person’s sessions in the workspace end, in both environments, on every node.',
    tag: 'Authentication',
    auth: { public: 'the signed logout token is the credential' },
    request: { params: z.strictObject({ tenant_id: z.uuid().lowercase() }) },
    responses: { 200: { description: 'They have ended, or there were none.' } },
    errors: ['logout_token_refused', 'provider_unreachable', 'payload_too_large'],
    isOfWorkspace: true,
    handler: async ({ params: { tenant_id: tenantId }, readRaw, audit, log }) => {
      const body = await readRaw(bodyBytesMax);
      const form = new URLSearchParams(Buffer.from(body).toString('utf8'));
      const token = form.get('logout_token') ?? '';
      const provider = await db.tenant(tenantId, (tx) => findProvider(tx, tenantId));
      if (provider === undefined) throw refused('the workspace has no identity provider');
      const { issuer } = provider;
      const people = await db.tenant(tenantId, (tx) =>
        findPeopleSignedIn(tx, tenantId, { issuer, ...claimedPerson(token) }),
      );
      // Nothing is asked of a provider for tokens that strangers make up.
      if (people.length === 0) return { status: 200 };
      const read = await openid.readLogoutToken(openidProviderOf(secrets, provider), token);
      if (read.kind === 'fault') {
        log.info({ tenantId, detail: read.detail }, 'a logout token was refused');
        if (read.problem === 'provider_unreachable') {
          throw fail('provider_unreachable', 'The keys of the provider could not be fetched.');
        }
        throw refused(read.detail);
      }
      const { jti = '' } = read.value;
      if (!isPrintable(jti, jtiMax)) throw refused('its jti is missing or too long');
      const until = new Date(clock().getTime() + rememberedMs);
      await db.tenant(tenantId, async (tx) => {
        if (!(await useOnce(tx, tenantId, `jti ${jti}`, until))) {
          throw refused('it was used before');
        }
        for (const userId of people) {
          await endSessions(tx, { userId, tenantId }, { now: clock() });
          await audit.record(tx, tenantId, { subject: userId, userId });
        }
      });
      return { status: 200 };
    },
  });
}

/** Whom the token says that it is about, before its signature was checked. Throws when it says nothing. */
function claimedPerson(token: string): { subject: string | null; sid: string | null } {
  const { sub, sid } = claimsOf(token);
  const subject = isWord(sub) ? sub : null;
  const session = isWord(sid) ? sid : null;
  if (subject === null && session === null) throw refused('it names nobody');
  return { subject, sid: session };
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && isPrintable(value, wordMax);
}

function claimsOf(token: string) {
  try {
    return decodeJwt(token);
  } catch {
    throw refused('it is no JWT'); // the library says so by errors of several kinds
  }
}

function refused(why: string) {
  return fail('logout_token_refused', `The logout token is refused: ${why}.`);
}
