import { z } from 'zod';
import { voiceProviders } from '../../../channels/voice-registry.ts';
import { idPattern } from '../../../platform/ids.ts';

export const providerId = z
  .string()
  .regex(idPattern('vpc'), 'must be the id of a provider configuration');

const instant = z.iso.datetime();
const name = z.string().trim().min(1).max(100);
const fromNumber = z.string().max(32).describe('The number that is shown, in E.164');
const callsPerSecond = z
  .int()
  .min(1)
  .max(50)
  .describe('The rate of the provider: further calls are placed a moment later');
const policy = z
  .enum(['free', 'announced', 'consented'])
  .describe('What a recording needs: nothing, an announcement before it, or a logged consent');
const days = z.int().min(1).max(3_650).describe('How long recordings are kept');
const settings = z.record(z.string().regex(/^[a-z_]{1,40}$/), z.string().max(10_000));

export const providerRequest = z
  .strictObject({
    provider: z.enum(voiceProviders.map(({ id }) => id)),
    name,
    settings: settings
      .optional()
      .describe(
        'By provider: see `GET /voice/api/provider-kinds/`. Secrets are kept sealed and never shown. In the ' +
          'sandbox those of the simulator stand in when all are left out.',
      ),
    from_number: fromNumber,
    calls_per_second: callsPerSecond.default(50),
    recording_policy: policy.default('announced'),
    recording_retention_days: days.default(90),
  })
  .meta({ id: 'VoiceProviderRequest' });

export const providerPatch = z
  .strictObject({
    name: name.optional(),
    settings: z
      .record(z.string().regex(/^[a-z_]{1,40}$/), z.string().max(10_000).nullable())
      .optional()
      .describe('The named ones are replaced; null removes one; others stay'),
    from_number: fromNumber.optional(),
    calls_per_second: callsPerSecond.optional(),
    recording_policy: policy.optional(),
    recording_retention_days: days.optional(),
  })
  .meta({ id: 'VoiceProviderPatch' });

export const providerView = z
  .strictObject({
    id: z.string(),
    provider: z.string(),
    name: z.string(),
    settings,
    from_number: z.string(),
    calls_per_second: z.int(),
    recording_policy: policy,
    recording_retention_days: z.int(),
    callback_url: z.string(),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'VoiceProvider' });

export const testView = z
  .strictObject({
    ok: z.boolean(),
    code: z.string().nullable(),
    detail: z.string().nullable(),
    latency_ms: z.int(),
  })
  .meta({ id: 'VoiceProviderTest' });
