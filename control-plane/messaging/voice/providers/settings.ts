/** Settings of a provider as they are given, kept and shown: secrets go in and never come out. */
import { z } from 'zod';
import type { VoiceProvider } from '../../../channels/voice-contract.ts';
import { fail } from '../../errors.ts';

/** What stands where a secret is. */
export const mask = '••••••••';

export type GivenSettings = Readonly<Record<string, string>>;

/** The settings as the provider's schema reads them. Throws `invalid_request` naming each fault. */
export function readSettings(provider: VoiceProvider, given: GivenSettings): GivenSettings {
  const [masked] = Object.entries(given).find(([, value]) => value === mask) ?? [];
  if (masked !== undefined) throw faulty({ [masked]: ['is the mask of a secret, not a secret'] });
  const read = provider.settings.safeParse(given);
  if (read.success) return read.data as GivenSettings;
  const errors: Record<string, string[]> = {};
  for (const issue of read.error.issues) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')];
    for (const name of names) {
      const isMissing = issue.message.endsWith('received undefined');
      (errors[name.slice(0, 100)] ??= []).push(isMissing ? 'is required' : messageOf(issue));
    }
  }
  throw faulty(errors);
}

/** Never the value that was given. */
function messageOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'unrecognized_keys' ? 'is not a setting of this provider' : issue.message;
}

function faulty(errors: Readonly<Record<string, readonly string[]>>) {
  const named = Object.entries(errors).map(([name, messages]) => [`settings.${name}`, messages]);
  const [[field, [problem = 'is wrong'] = []] = ['settings']] = named as [string, string[]][];
  return fail('invalid_request', `${field}: ${problem}`, {
    body: { errors: Object.fromEntries(named) },
  });
}

/** Settings as they may be shown: what the schema marks as secret, or does not know, is masked. */
export function shownSettings(provider: VoiceProvider, settings: GivenSettings): GivenSettings {
  const { properties = {} } = z.toJSONSchema(provider.settings, { io: 'input' });
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      const property = properties[name] as { secret?: boolean } | undefined;
      const isShown = property !== undefined && property.secret !== true;
      return [name, isShown ? value : mask];
    }),
  );
}
