/**
 * What name servers say: `const names = openNames({ servers })`, then `names.txt('_drawbridge.acme.example')`.
 * A name that does not exist has no records; servers that are silent or broken are a fault to try again.
 */
import { Resolver } from 'node:dns/promises';

export interface Names {
  /** The texts of a name; undefined when the servers gave no answer that could be relied on. */
  txt(name: string): Promise<readonly string[] | undefined>;
  /** Whether a name leads to an address; undefined as for `txt`. */
  hasAddress(name: string): Promise<boolean | undefined>;
}

/** Each try of each server. */
const timeoutMs = 2_000;

/** `servers`: addresses with or without a port; none: those of this machine. */
export function openNames({ servers }: { readonly servers: readonly string[] }): Names {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  return {
    txt: async (name) => {
      const records = await known(resolver.resolveTxt(name));
      return records?.map((strings) => strings.join(''));
    },
    hasAddress: async (name) => {
      const four = await known(resolver.resolve4(name));
      if (four !== undefined && four.length > 0) return true;
      const six = await known(resolver.resolve6(name));
      if (six !== undefined && six.length > 0) return true;
      return four === undefined || six === undefined ? undefined : false;
    },
  };
}

async function known<Row>(asked: Promise<Row[]>): Promise<Row[] | undefined> {
  try {
    return await asked;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOTFOUND' || code === 'ENODATA' ? [] : undefined;
  }
}
