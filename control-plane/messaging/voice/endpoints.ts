import { join } from 'node:path';
import { startAsteriskSimulator } from '../../channels/asterisk/simulator.ts';
import {
  sandboxSettings as plivoSettings,
  startPlivoVoiceSimulator,
} from '../../channels/plivo-voice/simulator.ts';
import type { VoiceOptions } from '../../channels/simulation/voice-network.ts';
import {
  startTwilioVoiceSimulator,
  sandboxSettings as twilioSettings,
} from '../../channels/twilio-voice/simulator.ts';
import { newPrivateKey, startVonageVoiceSimulator } from '../../channels/vonage-voice/simulator.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { Clock, RandomBytes } from '../../platform/ids.ts';
import { privateFile } from '../../platform/secrets/private-file.ts';
import { readEndpoints, type VoiceAddresses } from './endpoint-file.ts';

type ProviderId = keyof VoiceAddresses;

type PlayedSettings = Readonly<Record<string, string>>;

/** Where voice providers are, and the simulators that stand in for those the sandbox lacks. */
export interface VoiceEndpoints {
  endpointOf(environment: Environment, providerId: string): string | undefined;
  /** Origins that the operator or we ourselves named. */
  isTrusted(origin: string): boolean;
  /** Settings of a configuration that reaches the provider's simulator; none where none plays. */
  playedSettings(environment: Environment, providerId: string): PlayedSettings | undefined;
  /** Name → address of each simulator that was started. */
  readonly simulators: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * Reads where the providers are (VOICE_ENDPOINTS_FILE, JSON: environment → provider → address). What
 * the sandbox names no address for is played by a simulator; live calls go to the providers' own.
 */
export async function openVoiceEndpoints(given: {
  readonly path: string | undefined;
  readonly home: string;
  readonly clock: Clock;
  readonly random: RandomBytes;
}): Promise<VoiceEndpoints> {
  const { path, home, clock, random } = given;
  const known = await readEndpoints(path);
  const sandbox: Partial<Record<ProviderId, string | undefined>> = { ...known.sandbox };
  const simulators: Record<string, string> = {};
  const played: Partial<Record<string, PlayedSettings>> = {};
  const running: { stop(): Promise<void> }[] = [];
  const chance = { clock, random: () => Buffer.from(random(4)).readUInt32BE() / 2 ** 32 };
  const options = { ...chance, isSending: true };
  for (const [id, start] of Object.entries(starts(home)) as [ProviderId, Start][]) {
    if (sandbox[id] !== undefined) continue;
    const { url, settings, stop } = await start(options);
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
    playedSettings: (environment, id) => (environment === 'sandbox' ? played[id] : undefined),
    isTrusted: (origin) => origins.has(origin),
    simulators,
    close: async () => {
      for (const simulator of running) await simulator.stop();
    },
  };
}

type Start = (
  options: VoiceOptions,
) => Promise<{ url: string; settings: PlayedSettings; stop(): Promise<void> }>;

function starts(home: string): Readonly<Record<ProviderId, Start>> {
  return {
    'twilio-voice': async (options) => ({
      ...(await startTwilioVoiceSimulator(options)),
      settings: twilioSettings,
    }),
    'plivo-voice': async (options) => ({
      ...(await startPlivoVoiceSimulator(options)),
      settings: plivoSettings,
    }),
    // The key outlives the process, as the configurations do that name it.
    'vonage-voice': async (options) =>
      startVonageVoiceSimulator({
        ...options,
        privateKey: await privateFile(join(home, 'sandbox-vonage.pem'), newPrivateKey),
      }),
    asterisk: (options) => startAsteriskSimulator(options),
  };
}
