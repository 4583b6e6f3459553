import type { Request } from 'express';
import type { BrowserCall } from '../auth/principal.ts';

const reading: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** What the headers of a request tell of the browser and the page that send it. */
export function browserCallOf(request: Request, isSecure: boolean): BrowserCall {
  return {
    cookie: request.headers.cookie,
    isOwnPage: isFromOwnPage(request),
    isByPerson: request.get('person-acted') === '?1', // a boolean as in Sec-Fetch-User
    isSecure,
  };
}

/**
 * Browsers say where a request comes from (Fetch Metadata). Of those that do not, a change needs an
 * `Origin` of this host. A person who typed the address may read.
 */
function isFromOwnPage(request: Request): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers;
  const isReading = reading.has(request.method);
  if (site !== undefined) return site === 'same-origin' || (isReading && site === 'none');
  if (origin !== undefined) return hostOf(origin) === request.get('host');
  return isReading;
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
