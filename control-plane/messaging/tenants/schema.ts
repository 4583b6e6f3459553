import { z } from 'zod';
import { email } from '../../people/accounts/email.ts';
import { roles } from '../../people/roles/messaging-roles.ts';
import {
  keyName,
  keyRestrictions,
  keyText,
  keyTimes,
  shownKey,
} from '../../platform/auth/tenant-keys.ts';
import { idPattern } from '../../platform/ids.ts';

const instant = z.iso.datetime();
const role = z.enum(roles);

export const roleView = z
  .strictObject({
    service: z.enum(['messaging', 'e-invoicing']),
    name: z.string(),
    description: z.string(),
    permissions: z.array(z.strictObject({ name: z.string(), description: z.string() })),
  })
  .meta({ id: 'Role' });

/** What can be a tenant's own domain. */
export const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(240)
  .regex(
    /^(?=.*\.[a-z]([a-z0-9-]*[a-z0-9])$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/,
    'must be a host name such as chat.example.com',
  );

const sender = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .regex(/^\P{Cc}*$/u, 'must not hold control characters')
    .nullable()
    .default(null),
  address: email,
});

export const logoBytesMax = 256 * 1_024;

export const brandingPatch = z
  .strictObject({
    custom_domain: domain.nullable().optional(),
    logo: z
      .base64()
      .min(4)
      .max(Math.ceil(logoBytesMax / 3) * 4)
      .nullable()
      .optional()
      .describe('A PNG or JPEG file in base64, at most 256 KiB; an address is not taken.'),
    email_sender: sender.nullable().optional(),
  })
  .meta({ id: 'BrandingPatch' });

const proof = z
  .strictObject({
    status: z.enum(['pending', 'proved']).describe('Only what is proved is used.'),
    record: z
      .strictObject({ type: z.literal('TXT'), name: z.string(), value: z.string() })
      .describe('The record to publish in DNS.'),
    proved_at: instant.nullable(),
    checked_at: instant.nullable(),
    problem: z.string().nullable().describe('What was amiss when it was looked for last.'),
  })
  .nullable();

export const brandingView = z
  .strictObject({
    custom_domain: z.string().nullable(),
    custom_domain_proof: proof.describe('Null: no domain is set, or it was never verified.'),
    logo: z
      .strictObject({ content_type: z.string(), bytes: z.number(), url: z.string() })
      .nullable(),
    email_sender: z.strictObject({ name: z.string().nullable(), address: z.string() }).nullable(),
    email_sender_proof: proof.describe('Null: no sender is set, or it was never verified.'),
    updated_at: instant.nullable(),
  })
  .meta({ id: 'Branding' });

export const domainQuery = z.strictObject({
  domain: domain.optional().describe('Default: the domain at which this is asked.'),
});

export const domainBrandingView = z
  .strictObject({
    domain: z.string(),
    name: z.string().nullable().describe('Of the workspace; null: the address is the host’s own.'),
    logo_url: z.string().nullable(),
  })
  .meta({ id: 'DomainBranding' });

export const tagId = z.string().regex(idPattern('tag'), 'must be the id of a tag');
const tagName = z.string().trim().min(1).max(100);
const colour = z
  .string()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, 'must be #rrggbb');

export const tagRequest = z
  .strictObject({ name: tagName, colour: colour.nullable().default(null) })
  .meta({ id: 'TagRequest' });

export const tagPatch = z
  .strictObject({ name: tagName.optional(), colour: colour.nullable().optional() })
  .meta({ id: 'TagPatch' });

export const tagView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    colour: z.string().nullable(),
    created_at: instant,
  })
  .meta({ id: 'Tag' });

const phoneNumber = z.strictObject({
  id: z.string().min(1).max(100).describe("The network's id of the number."),
  phone: z.string().regex(/^\+[1-9]\d{6,14}$/, 'must be a number such as +971501234567'),
  display_name: z.string().trim().min(1).max(200).nullable().default(null),
});
export type PhoneNumber = z.output<typeof phoneNumber>;

const waba = {
  account_id: z.string().trim().min(1).max(100).describe("The network's id of the account."),
  name: z.string().trim().min(1).max(200).nullable().default(null),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be three capital letters')
    .nullable()
    .default(null),
  time_zone: z.string().trim().min(1).max(64).nullable().default(null),
  phone_numbers: z.array(phoneNumber).max(50).default([]),
};

export const wabaRequest = z.strictObject(waba).meta({ id: 'WabaInfoRequest' });

export const wabaView = z
  .strictObject({
    connected: z.boolean(),
    account_id: z.string().nullable(),
    name: z.string().nullable(),
    currency: z.string().nullable(),
    time_zone: z.string().nullable(),
    phone_numbers: z.array(phoneNumber),
    apps: z
      .array(
        z.strictObject({
          app_id: z.string(),
          name: z.string(),
          state: z.string(),
          stopped_reason: z.string().nullable(),
          quality: z.string().nullable(),
          tier: z.string().nullable(),
        }),
      )
      .describe('The connected numbers, and what the network thinks of each.'),
    updated_at: instant.nullable(),
  })
  .meta({ id: 'WabaInfo' });

export const keyId = z.string().max(100);

export const keyRequest = z
  .strictObject({
    name: keyName,
    role,
    ...keyRestrictions,
  })
  .meta({ id: 'ApiKeyRequest' });

export const keyView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    shown: shownKey,
    role: role
      .nullable()
      .describe('Null when it was issued by the host with permissions of its own.'),
    allowed_ips: z.array(z.string()),
    ...keyTimes,
  })
  .meta({ id: 'ApiKey' });

export const issuedKey = z
  .strictObject({
    id: z.string(),
    key: keyText,
    shown: z.string(),
    name: z.string(),
    role,
  })
  .meta({ id: 'IssuedApiKey' });

const amount = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .describe('An exact decimal.');

export const walletView = z
  .strictObject({
    currency: z.string().nullable(),
    balance: amount,
    reserved: amount.describe('Promised to messages on their way.'),
    available: amount,
    low_at: amount
      .nullable()
      .describe('`wallet.low` is told below it; null: at a hundred times the dearest message.'),
    is_low: z.boolean(),
  })
  .meta({ id: 'Wallet' });

export const walletPatch = z
  .strictObject({
    low_at: z
      .string()
      .regex(/^\d{1,15}(\.\d{1,6})?$/, 'must be a decimal with at most six places')
      .nullable(),
  })
  .meta({ id: 'WalletPatch' });

export const entryView = z
  .strictObject({
    id: z.string(),
    kind: z.enum(['top_up', 'correction', 'charge']),
    amount,
    balance_after: amount,
    reference: z.string(),
    created_at: instant,
  })
  .meta({ id: 'WalletEntry' });

const step = z.strictObject({
  step: z.string(),
  done: z.boolean(),
  next: z.string().nullable().describe('The request that does it; null: the host does it.'),
});

export const onboardingView = z
  .strictObject({
    results: z.array(
      z.strictObject({
        id: z.string(),
        title: z.string(),
        done: z.boolean(),
        next: z.string().nullable().describe('The next request to make; null: none is left.'),
        steps: z.array(step),
      }),
    ),
  })
  .meta({ id: 'OnboardingOptions' });
