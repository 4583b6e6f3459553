import { z } from 'zod';
import {
  type SettingSchema,
  settingsSchema,
} from '../../platform/setting-forms/settings-schema.ts';

const providerKind = z
  .strictObject({
    channel: z.enum(['wa', 'sms', 'botchat', 'rcs', 'voice']),
    provider: z.string().describe('What `provider` is in the request that connects an account.'),
    title: z.string().describe('What people call it.'),
    settings: z
      .record(z.string(), z.unknown())
      .describe(
        'JSON Schema (2020-12) of the settings, with a title for each. Beside the keywords of the standard: ' +
          '`secret` (never shown again) and `advanced` (rarely changed). In the sandbox `required` leaves out ' +
          'what a simulator stands in for.',
      ),
  })
  .meta({ id: 'ProviderKind' });

export const providerKindList = z
  .strictObject({ results: z.array(providerKind) })
  .meta({ id: 'ProviderKindList' });

interface Provider {
  readonly id: string;
  readonly title: string;
  readonly settings: z.ZodType;
}

/** How a provider is shown to forms; the settings in `given` may be left out. */
export function providerKindOf(
  channel: z.output<typeof providerKind>['channel'],
  { id, title, settings }: Provider,
  given: Readonly<Record<string, string>>,
): z.output<typeof providerKind> {
  const schema: SettingSchema = settingsSchema(settings);
  const required = (schema.required ?? []).filter((name) => !Object.hasOwn(given, name));
  return { channel, provider: id, title, settings: { ...schema, required } };
}
