import type { Request } from 'express';

/**
 * Whether the request came through a proxy that is not trusted. All of its callers then have the
 * proxy's address, so the address proves nothing and nothing is counted by it.
 */
export function isFromUntrustedProxy(request: Request): boolean {
  const isProxied = request.headers['x-forwarded-for'] !== undefined;
  return isProxied && request.app.get('trust proxy') === false;
}
