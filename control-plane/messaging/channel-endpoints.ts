import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { App } from '../channels/contract.ts';
import { channels } from '../channels/registry.ts';
import type { Environment } from '../platform/auth/principal.ts';
import type { Clock, RandomBytes } from '../platform/ids.ts';
import { type Played, startSandboxProviders } from './sandbox-providers.ts';

/** Where a provider is. */
export interface ChannelEndpoint {
  readonly url: string;
  /** Settings for a new app that names none of its own: an account at a simulator. */
  readonly settings: () => Readonly<Record<string, string>>;
  /** Opens the app's account at a simulator, as its owner would in the provider's console. */
  readonly register?: (app: App) => Promise<void>;
}

export interface ChannelEndpoints {
  /** Undefined: the provider's own address, which its adapter knows. */
  of(environment: Environment, provider: string): ChannelEndpoint | undefined;
  /** Name → address of each simulator that was started. */
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
 * Reads where the providers are (CHANNELS_FILE, JSON: environment → provider → `{ base_url,
 * settings }`). What the sandbox names no endpoint for is played by a simulator on the loopback.
 */
export async function openChannelEndpoints(options: {
  readonly path: string | undefined;
  readonly clock: Clock;
  readonly random: RandomBytes;
}): Promise<ChannelEndpoints> {
  const { path, clock, random } = options;
  const known = file.parse(path === undefined ? {} : JSON.parse(await readFile(path, 'utf8')));
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
