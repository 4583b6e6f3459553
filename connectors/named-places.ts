import type { NamedPlace } from './contract.ts';

/** The server that an address of the settings leads to. */
export function serverOfUrl(member: string, url: string): NamedPlace {
  const host = (URL.parse(url)?.hostname ?? '').replace(/^\[(.*)\]$/, '$1');
  return { kind: 'host', member, host };
}
