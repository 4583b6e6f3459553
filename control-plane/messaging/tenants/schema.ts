import { z } from 'zod';
import { idPattern } from '../../platform/ids.ts';
import { permissions, roles } from '../rbac.ts';
import { email } from '../token/schema.ts';

const instant = z.iso.datetime();
const permission = z.enum(Object.keys(permissions) as [keyof typeof permissions]);
export const role = z.enum(roles);
export const userId = z.string().max(100);

/** A member's name for people; no control characters, since it goes into mail. */
export const personName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}*$/u, 'must not hold control characters');

export const roleView = z
  .strictObject({
    name: role,
    description: z.string(),
    permissions: z.array(z.strictObject({ name: permission, description: z.string() })),
  })
  .meta({ id: 'Role' });

export const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(
    /^(?=.*\.[a-z]([a-z0-9-]*[a-z0-9])$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/,
    'must be a host name such as chat.example.com',
  );

export const sender = z.strictObject({
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

export const brandingView = z
  .strictObject({
    custom_domain: z.string().nullable(),
    logo: z
      .strictObject({ content_type: z.string(), bytes: z.number(), url: z.string() })
      .nullable(),
    email_sender: z.strictObject({ name: z.string().nullable(), address: z.string() }).nullable(),
    updated_at: instant.nullable(),
  })
  .meta({ id: 'Branding' });

export const memberView = z
  .strictObject({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    role,
    joined_at: instant,
  })
  .meta({ id: 'Member' });

export const memberPatch = z.strictObject({ role }).meta({ id: 'MemberPatch' });

export const inviteRequest = z.strictObject({ email, role }).meta({ id: 'InviteRequest' });

export const invitationView = z
  .strictObject({
    id: z.string(),
    email: z.string(),
    role,
    invited_by: z.string(),
    created_at: instant,
    expires_at: instant,
  })
  .meta({ id: 'Invitation' });

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
          ...{ app_id: z.string(), name: z.string(), state: z.string() },
          ...{ stopped_reason: z.string().nullable() },
          ...{ quality: z.string().nullable(), tier: z.string().nullable() },
        }),
      )
      .describe('The connected numbers, and what the network thinks of each.'),
    updated_at: instant.nullable(),
  })
  .meta({ id: 'WabaInfo' });

export const keyId = z.string().max(100);

export const keyRequest = z
  .strictObject({
    name: z.string().trim().min(1).max(200),
    role,
    allowed_ips: z
      .array(z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()]))
      .max(50)
      .default([])
      .describe('Addresses or CIDR ranges it may be used from; none: from anywhere.'),
    expires_at: z.iso.datetime({ offset: true }).optional(),
  })
  .meta({ id: 'ApiKeyRequest' });

const key = {
  id: z.string(),
  name: z.string(),
  shown: z.string().describe('The beginning of the key, to recognise it by.'),
  role: role
    .nullable()
    .describe('Null when it was issued by the host with permissions of its own.'),
  allowed_ips: z.array(z.string()),
  created_at: instant,
  expires_at: instant.nullable(),
  revoked_at: instant.nullable(),
  last_used_at: instant.nullable(),
};

export const keyView = z.strictObject(key).meta({ id: 'ApiKey' });

export const issuedKey = z
  .strictObject({
    id: z.string(),
    key: z
      .string()
      .nullable()
      .describe('The key itself: shown this once and stored nowhere; null in a repeat.'),
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
  next: z.string().nullable().describe('The call that does it; null: the host does it.'),
});

export const onboardingView = z
  .strictObject({
    results: z.array(
      z.strictObject({
        id: z.string(),
        title: z.string(),
        done: z.boolean(),
        next: z.string().nullable().describe('The next call of yours; null: none is left.'),
        steps: z.array(step),
      }),
    ),
  })
  .meta({ id: 'OnboardingOptions' });
