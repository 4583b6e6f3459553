import assert from 'node:assert/strict';
import { asterisk } from './asterisk/adapter.ts';
import { plivoVoice } from './plivo-voice/adapter.ts';
import type { VoiceSimulator } from './simulation/contract.ts';
import { twilioVoice } from './twilio-voice/adapter.ts';
import type { VoiceProvider } from './voice-contract.ts';
import { vonageVoice } from './vonage-voice/adapter.ts';

interface Entry {
  readonly provider: VoiceProvider;
  /** Loaded only when it runs. */
  readonly simulator: () => Promise<{ readonly simulator: VoiceSimulator }>;
}

const entries: readonly Entry[] = [
  { provider: twilioVoice, simulator: () => import('./twilio-voice/simulator.ts') },
  { provider: plivoVoice, simulator: () => import('./plivo-voice/simulator.ts') },
  { provider: vonageVoice, simulator: () => import('./vonage-voice/simulator.ts') },
  { provider: asterisk, simulator: () => import('./asterisk/simulator.ts') },
];

/** Every voice provider and PBX. */
export const voiceProviders: readonly VoiceProvider[] = entries.map(({ provider }) => provider);

/** The provider with this id; undefined when there is none. */
export function voiceProviderById(id: string): VoiceProvider | undefined {
  return voiceProviders.find((provider) => provider.id === id);
}

/** The simulator of the provider with this id; an unknown id is a bug. */
export async function voiceSimulator(id: string): Promise<VoiceSimulator> {
  const found = entries.find(({ provider }) => provider.id === id);
  assert(found, `no voice provider is registered as ${id}`);
  return (await found.simulator()).simulator;
}
