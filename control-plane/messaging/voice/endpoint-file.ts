import { z } from 'zod';
import { voiceProviders } from '../../channels/voice-registry.ts';
import { readSettingsFile } from '../../platform/settings-file.ts';

const address = z.url({ protocol: /^https?$/ }).regex(/[^/]$/);
const byProvider = z.partialRecord(z.enum(voiceProviders.map(({ id }) => id)), address);
const file = z.strictObject({ live: byProvider.default({}), sandbox: byProvider.default({}) });

/**
 * The addresses of voice providers by environment, from VOICE_ENDPOINTS_FILE; empty without the
 * file.
 */
export function readVoiceEndpoints(path: string | undefined): Promise<z.output<typeof file>> {
  return readSettingsFile('VOICE_ENDPOINTS_FILE', path, file);
}
