import { asterisk } from './asterisk/adapter.ts';
import { plivoVoice } from './plivo-voice/adapter.ts';
import { twilioVoice } from './twilio-voice/adapter.ts';
import type { VoiceProvider } from './voice-contract.ts';
import { vonageVoice } from './vonage-voice/adapter.ts';

/** Every way of calling. */
export const voiceProviders: readonly VoiceProvider[] = [
  twilioVoice,
  plivoVoice,
  vonageVoice,
  asterisk,
];

/** The provider of this id; undefined when there is none. */
export function voiceProviderById(id: string): VoiceProvider | undefined {
  return voiceProviders.find((provider) => provider.id === id);
}
