import { z } from 'zod';
import {
  type EinvoicingPermission,
  einvoicingPermissions,
} from '../../people/roles/einvoicing-roles.ts';
import {
  keyName,
  keyRestrictions,
  keyText,
  keyTimes,
  shownKey,
} from '../../platform/auth/tenant-keys.ts';

const permissions = Object.keys(einvoicingPermissions) as [EinvoicingPermission];

export const keyId = z.string().regex(/^key_[0-9a-z]{10}$/, 'must be the id of an API key');

export const keyRequest = z
  .strictObject({
    name: keyName,
    scopes: z
      .array(z.enum([...permissions, '*']))
      .min(1)
      .max(permissions.length)
      .describe('What the key may do, at most what you may do yourself; `*` is everything.'),
    ...keyRestrictions,
  })
  .meta({ id: 'ApiKeyRequest' });

export const keyView = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    shown: shownKey,
    scopes: z.array(z.string()),
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
    scopes: z.array(z.string()),
    allowed_ips: z.array(z.string()),
    expires_at: keyTimes.expires_at,
  })
  .meta({ id: 'IssuedApiKey' });
