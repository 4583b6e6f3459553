/** A provider's settings as they are given, stored and shown: secrets are never shown. */

import { toldIssues, wordsOf } from '@drawbridge/input-faults/issue-words.ts';
import { z } from 'zod';
import type { VoiceProvider } from '../../../channels/voice-contract.ts';
import { fail } from '../../errors.ts';

/** Shown in place of a secret. */
const mask = '••••••••';

export type GivenSettings = Readonly<Record<string, string>>;

/** The settings after the provider's schema. Throws `invalid_request` naming each fault. */
export function readSettings(
  provider: VoiceProvider,
  given: Readonly<Record<string, unknown>>,
): GivenSettings {
  const [masked] = Object.entries(given).find(([, value]) => value === mask) ?? [];
  if (masked !== undefined) throw faulty({ [masked]: ['is the mask of a secret, not a secret'] });
  const read = provider.settings.safeParse(given);
  if (read.success) return read.data as GivenSettings;
  const errors = new Map<string, string[]>();
  for (const issue of toldIssues(read.error.issues)) {
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')];
    for (const name of names) {
      const field = name.slice(0, 100);
      const message = messageOf(provider, field, issue);
      errors.set(field, [...(errors.get(field) ?? []), message]);
    }
  }
  throw faulty(Object.fromEntries(errors));
}

function messageOf(provider: VoiceProvider, field: string, issue: z.core.$ZodIssue): string {
  if (issue.code !== 'unrecognized_keys') return wordsOf(issue);
  const hasText = provider.kind === 'markup' && provider.transcription !== undefined;
  return field.startsWith('transcription') && !hasText
    ? 'is no setting of this provider, which transcribes nothing: TRANSCRIBER_URL names a service that does'
    : 'is not a setting of this provider';
}

function faulty(errors: Readonly<Record<string, readonly string[]>>) {
  const named = Object.entries(errors).map(([name, messages]) => [`settings.${name}`, messages]);
  const [[field, [problem = 'is wrong'] = []] = ['settings']] = named as [string, string[]][];
  return fail('invalid_request', `${field}: ${problem}`, {
    body: { errors: Object.fromEntries(named) },
  });
}

/**
 * The settings as they may be shown: fields that are secret, or unknown to the schema, are masked.
 */
export function shownSettings(provider: VoiceProvider, settings: GivenSettings): GivenSettings {
  const { properties = {} } = z.toJSONSchema(provider.settings, { io: 'input' });
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const property = known as { secret?: boolean } | undefined;
      const isShown = property !== undefined && property.secret !== true;
      return [name, isShown ? value : mask];
    }),
  );
}
