import { z } from 'zod';
import { idPattern } from '../../platform/ids.ts';

export const appId = z.string().regex(idPattern('app'), 'must be the id of an app');

const name = z.string().trim().min(1).max(100);
const settings = z
  .record(z.string().max(64), z.string().max(10_000))
  .describe("The provider's own: see `GET /provider-kinds/`. Secrets are never shown again.");
const allowUnsigned = z
  .boolean()
  .describe('Accepts webhooks without a signature. Anybody can send those.');
const resendUnknown = z
  .boolean()
  .describe(
    'Sends messages again whose outcome a crash left unknown; a person may then get one twice.',
  );

/** What makes an app of one of these providers. */
export function appRequestOf(providers: readonly string[], id: string) {
  return z
    .strictObject({
      provider: z.enum(providers).default(providers[0]!),
      name,
      settings: settings
        .default({})
        .describe(
          'By provider: see `GET /provider-kinds/`. In the sandbox, settings that are left out are those of ' +
            'the simulator.',
        ),
      allow_unsigned: allowUnsigned.default(false),
      resend_unknown: resendUnknown.default(false),
    })
    .meta({ id });
}

export const appPatch = z
  .strictObject({
    name: name.optional(),
    settings: z
      .record(z.string().max(64), z.string().max(10_000).nullable())
      .optional()
      .describe('Merged into what is there; null removes a setting.'),
    allow_unsigned: allowUnsigned.optional(),
    resend_unknown: resendUnknown.optional(),
    state: z
      .enum(['active', 'stopped'])
      .optional()
      .describe('An app that its provider stopped goes on once it is made active again.'),
  })
  .meta({ id: 'AppPatch' });

export const appView = z
  .strictObject({
    id: z.string(),
    channel: z.string(),
    provider: z.string(),
    name: z.string(),
    state: z.enum(['active', 'stopped']),
    stopped_reason: z.string().nullable(),
    quality: z
      .string()
      .nullable()
      .describe('The quality rating of the network: green, yellow, red.'),
    tier: z
      .string()
      .nullable()
      .describe(
        'The messaging tier: how many people it may write to a day, in the network’s own term.',
      ),
    settings: z.record(z.string(), z.unknown()).describe('Secrets are masked.'),
    allow_unsigned: z.boolean(),
    resend_unknown: z.boolean(),
    inbound_url: z.string().describe('Where the provider sends what people write.'),
    status_url: z
      .string()
      .nullable()
      .describe('Where the provider sends reports of messages; null: it has none.'),
    url_registration: z
      .enum(['automatic', 'manual'])
      .describe(
        '`automatic`: the provider is told the addresses by its API, whenever the app is made or ' +
          'its settings change. `manual`: set `inbound_url` as `url_help` says.',
      ),
    url_help: z.string().nullable(),
    last_inbound_at: z.iso
      .datetime()
      .nullable()
      .describe('When something last came in at `inbound_url`, to a minute; null: never yet.'),
    last_status_at: z.iso.datetime().nullable().describe('The same for `status_url`.'),
    guarantee: z
      .enum(['exactly-once', 'at-most-once-unknown'])
      .describe('What is known of a message after a lost answer of the provider.'),
    messages_per_second: z.number(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'App' });
