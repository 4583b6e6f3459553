import { z } from 'zod';
import { roles } from '../rbac.ts';
import { password } from './passwords.ts';

/** An e-mail address, in lower case. */
export const email = z.email().max(254).toLowerCase();

export const tenantId = z.uuid().lowercase();

export const tokenRequest = z
  .strictObject({
    email,
    password,
    tenant_id: tenantId
      .optional()
      .describe('Which tenant, for members of several; else the one joined first.'),
  })
  .meta({ id: 'TokenRequest' });

const pair = {
  access: z.string().describe('JWT, good for 15 minutes at this address.'),
  refresh: z.string().describe('JWT, good once and for 14 days.'),
};

export const tokenPair = z.strictObject(pair).meta({ id: 'TokenPair' });

export const signedIn = z
  .strictObject({
    ...pair,
    tenant_id: z.string(),
    role: z.enum(roles),
    tenants: z.array(z.strictObject({ id: z.string(), name: z.string(), role: z.enum(roles) })),
  })
  .meta({ id: 'SignedIn' });

export const refreshRequest = z
  .strictObject({ refresh: z.string().min(1).max(4_096) })
  .meta({ id: 'RefreshRequest' });
