import type { Environment } from '../../platform/auth/principal.ts';

/** What a page's address says of the cookies that it may set. */
export interface CookiePlace {
  readonly environment: Environment;
  /** Whether the browser speaks TLS with us, or with the proxy before us. */
  readonly isSecure: boolean;
}

type Purpose = 'session' | 'device' | 'sign-in';

/**
 * Ports do not part cookies, so each environment has names of its own. `__Host-` binds a cookie to this
 * host and to TLS. Without TLS, as on the loopback address, browsers differ in whether they keep such
 * a cookie, so it has neither the prefix nor `Secure`.
 */
export function cookieName(purpose: Purpose, { environment, isSecure }: CookiePlace): string {
  return `${isSecure ? '__Host-' : ''}drawbridge-${environment}-${purpose}`;
}

/** The Set-Cookie header that keeps a value; 0 seconds deletes it. */
export function setCookie(
  purpose: Purpose,
  place: CookiePlace,
  value: string,
  maxAgeSeconds: number,
): string {
  const secure = place.isSecure ? '; Secure' : '';
  const name = cookieName(purpose, place);
  // The answer to a sign-in comes from another site, the provider's.
  const sameSite = purpose === 'sign-in' ? 'Lax' : 'Strict';
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=${sameSite}${secure}`;
}

/** The value of one cookie of a Cookie header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
