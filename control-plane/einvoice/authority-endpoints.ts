import { z } from 'zod';
import type { AuthorityEndpoint } from '../authorities/contract.ts';
import { authorities, authoritySimulator } from '../authorities/registry.ts';
import type { Clock, RandomBytes } from '../platform/ids.ts';
import { readSettingsFile } from '../platform/settings-file.ts';
import type { AuthorityEndpoints } from './pipeline/submission/authority-gateway.ts';

const endpoint = z.strictObject({
  baseUrl: z.url({ protocol: /^https?$/ }),
  credentials: z.record(z.string(), z.string()),
});
const byAuthority = z.partialRecord(z.enum(authorities.map(({ id }) => id)), endpoint);
const file = z.strictObject({ live: byAuthority.default({}), sandbox: byAuthority.default({}) });

/** The endpoints of this process, and the simulators it started for authorities of the sandbox. */
export interface OpenEndpoints {
  readonly endpoints: AuthorityEndpoints;
  /** Name → address of each simulator that was started. */
  readonly simulators: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * Where the authorities are (AUTHORITIES_FILE, JSON: environment → authority → `{ baseUrl,
 * credentials }`); empty without the file.
 */
export function readAuthorityEndpoints(path: string | undefined): Promise<z.output<typeof file>> {
  return readSettingsFile('AUTHORITIES_FILE', path, file);
}

/**
 * For an authority without an endpoint in the file the sandbox starts a simulator on loopback; live
 * has none.
 */
export async function openEndpoints(options: {
  readonly path: string | undefined;
  readonly clock: Clock;
  readonly random: RandomBytes;
}): Promise<OpenEndpoints> {
  const { path, clock, random } = options;
  const known = await readAuthorityEndpoints(path);
  const sandbox: Record<string, AuthorityEndpoint | undefined> = { ...known.sandbox };
  const simulators: Record<string, string> = {};
  const running: { stop(): Promise<void> }[] = [];
  const chance = { clock, random: () => Buffer.from(random(4)).readUInt32BE() / 2 ** 32 };
  for (const { id } of authorities) {
    if (sandbox[id] !== undefined) continue;
    const { start, credentials } = await authoritySimulator(id);
    const simulator = await start(chance);
    running.push(simulator);
    simulators[id] = simulator.url;
    sandbox[id] = { baseUrl: simulator.url, credentials };
  }
  return {
    endpoints: { live: known.live, sandbox } as AuthorityEndpoints,
    simulators,
    close: async () => {
      for (const simulator of running) await simulator.stop();
    },
  };
}
