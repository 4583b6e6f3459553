import type { IncomingHttpHeaders } from 'node:http';

/** Whether a request has these credentials in HTTP Basic. */
export function hasBasicAuthorization(
  { authorization }: Pick<IncomingHttpHeaders, 'authorization'>,
  user: string,
  password: string,
): boolean {
  return authorization === `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
