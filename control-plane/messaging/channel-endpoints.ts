import { z } from 'zod';
import { channels } from '../channels/registry.ts';
import type { Environment } from '../platform/auth/principal.ts';
import type { Clock, RandomBytes } from '../platform/ids.ts';
import { readSettingsFile } from '../platform/settings-file.ts';
import { type ChannelEndpoint, type Played, startSandboxProviders } from './sandbox-providers.ts';

export interface ChannelEndpoints {
  /** Undefined: the provider's own address, which its adapter has. */
  of(environment: Environment, provider: string): ChannelEndpoint | undefined;
  /** The address of each simulator that was started, by name. */
  readonly simulators: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const endpoint = z.strictObject({
  base_url: z.url({ protocol: /^https?$/ }),
  settings: z.record(z.string(), z.string()).default({}),
});
const byProvider = z.partialRecord(z.enum(channels.map(({ id }) => id)), endpoint);
const file = z.strictObject({ live: byProvider.default({}), sandbox: byProvider.default({}) });

/**
 * The providers' addresses (CHANNELS_FILE, JSON: environment → provider → `{ base_url, settings }`);
 * empty without the file.
 */
export function readChannelEndpoints(path: string | undefined): Promise<z.output<typeof file>> {
  return readSettingsFile('CHANNELS_FILE', path, file);
}

/** In the sandbox, a simulator on the loopback plays each provider without an entry in the file. */
export async function openChannelEndpoints(options: {
  readonly path: string | undefined;
  readonly clock: Clock;
  readonly random: RandomBytes;
}): Promise<ChannelEndpoints> {
  const { path, clock, random } = options;
  const known = await readChannelEndpoints(path);
  const found = new Map<string, ChannelEndpoint>();
  for (const environment of ['live', 'sandbox'] as const) {
    for (const [provider, given] of Object.entries(known[environment])) {
      if (given === undefined) continue;
      const { base_url: url, settings } = given;
      found.set(`${environment} ${provider}`, { url, settings: () => settings });
    }
  }
  const chance = { clock, random: () => Buffer.from(random(4)).readUInt32BE() / 2 ** 32 };
  const isWanted = (provider: string) => !found.has(`sandbox ${provider}`);
  const played: ReadonlyMap<string, Played> = await startSandboxProviders(chance, isWanted);
  for (const [provider, endpoint] of played) found.set(`sandbox ${provider}`, endpoint);
  return {
    of: (environment, provider) => found.get(`${environment} ${provider}`),
    simulators: Object.fromEntries([...played].map(([provider, { url }]) => [provider, url])),
    close: async () => void (await Promise.all([...played.values()].map(({ stop }) => stop()))),
  };
}
