/** The addresses that a workspace registers at its provider. */
import type { Environment } from '../../platform/auth/principal.ts';
import type { Db } from '../../platform/db/database.ts';
import { findProvedDomain } from '../branding-store.ts';

export interface AddressContext {
  readonly db: Db;
  readonly publicUrl: (environment: Environment) => string;
}

/** Where the console is for somebody who came by this host name: the workspace's own domain, or ours. */
export async function addressOf(
  { db, publicUrl }: AddressContext,
  tenantId: string,
  { host, environment }: { readonly host: string; readonly environment: Environment },
): Promise<string> {
  const domain = await db.tenant(tenantId, (tx) => findProvedDomain(tx, tenantId));
  return host === domain ? `https://${domain}` : publicUrl(environment);
}

/** All of them: in both environments, and at the workspace's own domain. */
export async function registeredAddresses(context: AddressContext, tenantId: string) {
  const { db, publicUrl } = context;
  const domain = await db.tenant(tenantId, (tx) => findProvedDomain(tx, tenantId));
  const own = domain === undefined ? [] : [`https://${domain}`];
  const all = [publicUrl('live'), publicUrl('sandbox'), ...own];
  return {
    redirect_uris: all.map((address) => redirectUri(address, tenantId)),
    sign_out_uris: all.map(signedOutPage),
    backchannel_logout_uri: `${publicUrl('live')}/v1/sign-in/${tenantId}/backchannel-logout`,
  };
}

/** One for each workspace, so that no provider can answer for another's. */
export function redirectUri(address: string, tenantId: string): string {
  return `${address}/v1/sign-in/${tenantId}/callback`;
}

/** Where the provider sends people whom it has signed out. */
export function signedOutPage(address: string): string {
  return `${address}/console/sign-in`;
}
