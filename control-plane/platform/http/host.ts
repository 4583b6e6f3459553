import type { IncomingMessage } from 'node:http';

/** The name by which a caller reached us, without its port and the dot of the root; empty when it named none. */
export function hostOf({ headers: { host = '' } }: IncomingMessage): string {
  return host.replace(/\.?(:\d*)?$/, '').toLowerCase();
}
