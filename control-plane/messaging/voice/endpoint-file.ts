import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const address = z
  .url({ protocol: /^https?$/ })
  .regex(/[^/]$/)
  .optional();
const byProvider = z.strictObject({
  'twilio-voice': address,
  'plivo-voice': address,
  'vonage-voice': address,
  asterisk: address,
});
const file = z.strictObject({ live: byProvider.default({}), sandbox: byProvider.default({}) });

/** Address by provider; one that is not named is the provider's own. */
export type VoiceAddresses = z.output<typeof byProvider>;

/** Where voice providers are, by environment, as VOICE_ENDPOINTS_FILE says; without it nothing. */
export async function readEndpoints(path: string | undefined): Promise<z.output<typeof file>> {
  return file.parse(path === undefined ? {} : JSON.parse(await readFile(path, 'utf8')));
}
