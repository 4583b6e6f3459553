import { join } from 'node:path';
import { voiceProviders, voiceSimulator } from '../../channels/voice-registry.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import { privateFile } from '../../platform/secrets/private-file.ts';
import { readVoiceEndpoints } from './endpoint-file.ts';

type SimulatorSettings = Readonly<Record<string, string>>;

/**
 * The addresses of voice providers, and the simulators for those that the sandbox has no address
 * for.
 */
export interface VoiceEndpoints {
  endpointOf(environment: Environment, providerId: string): string | undefined;
  /** Origins that the operator configured or that are our own. */
  isTrusted(origin: string): boolean;
  /** Settings that reach the provider's simulator; undefined when none runs. */
  simulatorSettings(environment: Environment, providerId: string): SimulatorSettings | undefined;
  /** The address of each simulator that was started, by name. */
  readonly simulators: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * Reads the providers' addresses (VOICE_ENDPOINTS_FILE, JSON: environment → provider → address). In
 * the sandbox, a simulator plays each provider without an address; live calls go to the providers'
 * own addresses.
 */
export async function openVoiceEndpoints(given: {
  readonly path: string | undefined;
  readonly home: string;
  readonly clock: Clock;
  readonly random: RandomBytes;
}): Promise<VoiceEndpoints> {
  const { path, home, clock, random } = given;
  const known = await readVoiceEndpoints(path);
  const sandbox: Record<string, string | undefined> = { ...known.sandbox };
  const simulators: Record<string, string> = {};
  const played: Partial<Record<string, SimulatorSettings>> = {};
  const running: { stop(): Promise<void> }[] = [];
  const chance = { clock, random: () => Buffer.from(random(4)).readUInt32BE() / 2 ** 32 };
  for (const { id } of voiceProviders) {
    if (sandbox[id] !== undefined) continue;
    const { start, secret } = await voiceSimulator(id);
    const kept =
      secret === undefined
        ? {}
        : { secret: await privateFile(join(home, secret.file), () => secret.make()) };
    const { url, settings, stop } = await start({ ...chance, ...kept, isSending: true });
    running.push({ stop });
    simulators[id] = url;
    played[id] = settings;
    sandbox[id] = url;
  }
  const all: Readonly<Record<Environment, Readonly<Record<string, string | undefined>>>> = {
    live: known.live,
    sandbox,
  };
  const origins = new Set(
    Object.values(all).flatMap((each) =>
      Object.values(each).flatMap((url) => (url === undefined ? [] : new URL(url).origin)),
    ),
  );
  return {
    endpointOf: (environment, id) =>
      Object.hasOwn(all[environment], id) ? all[environment][id] : undefined,
    simulatorSettings: (environment, id) => (environment === 'sandbox' ? played[id] : undefined),
    isTrusted: (origin) => origins.has(origin),
    simulators,
    close: async () => {
      for (const simulator of running) await simulator.stop();
    },
  };
}
