import type { Secrets } from '../../platform/secrets/secrets.ts';
import type { EndedSession } from '../sessions/browser-routes.ts';
import { type AddressContext, addressOf, signedOutPage } from './addresses.ts';
import { findProviderSession } from './identity-store.ts';
import type { Openid } from './openid.ts';
import { openidProviderOf } from './settings.ts';
import { findProvider } from './store.ts';

export interface SignOutContext extends AddressContext {
  readonly secrets: Pick<Secrets, 'open'>;
  readonly openid: Openid;
}

/**
 * Where the browser goes on, to end the provider's session too, of one that has ended here. Undefined when there is no
 * such place, or the provider does not answer: nobody is kept signed in for it.
 */
export async function providerSignOutUrl(
  context: SignOutContext,
  { tenantId, sessionId, environment, host, log }: EndedSession,
): Promise<string | undefined> {
  const { db, secrets, openid } = context;
  const { provider, session } = await db.tenant(tenantId, async (tx) => ({
    provider: await findProvider(tx, tenantId),
    session: await findProviderSession(tx, tenantId, sessionId),
  }));
  if (provider === undefined || session?.issuer !== provider.issuer) return undefined;
  const { sealed_id_token: sealed } = session;
  const idToken = sealed === null ? undefined : secrets.open(sealed, sessionId);
  const address = await addressOf(context, tenantId, { host, environment });
  const ended = { idToken, returnTo: signedOutPage(address) };
  const found = await openid.signOutUrl(openidProviderOf(secrets, provider), ended);
  if (found.kind === 'done') return found.value;
  log.warn({ tenantId, detail: found.detail }, 'a session stays open at an identity provider');
  return undefined;
}
