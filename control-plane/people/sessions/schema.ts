import { z } from 'zod';
import { environments } from '../../platform/auth/principal.ts';
import { email } from '../accounts/email.ts';
import { password } from '../accounts/passwords.ts';
import { memberRoles } from '../roles/schema.ts';
import { code } from '../second-factor/schema.ts';

const tenantId = z.uuid().lowercase();
const deviceToken = z.string().min(1).max(1_000);

export const tokenRequest = z
  .strictObject({
    email,
    password,
    tenant_id: tenantId
      .optional()
      .describe('Which tenant, for members of several; else the one joined first.'),
    code: code.optional().describe('For accounts with a second factor.'),
    device: deviceToken.optional().describe('As the last sign-in on this device answered it.'),
  })
  .meta({ id: 'TokenRequest' });

const pair = {
  access: z.string().describe('JWT, valid for 15 minutes at this address.'),
  refresh: z.string().describe('JWT, valid once, for 14 days.'),
};

export const tokenPair = z.strictObject(pair).meta({ id: 'TokenPair' });

export const deviceAnswer = z
  .string()
  .describe(
    'To keep on this device for 180 days, and to send at the next sign-in: a device that is known has ' +
      'tries of its own, which nobody else can use up. It opens nothing.',
  );

export const signedIn = z
  .strictObject({
    ...pair,
    tenant_id: z.string(),
    ...memberRoles,
    device: deviceAnswer,
    tenants: z.array(z.strictObject({ id: z.string(), name: z.string(), ...memberRoles })),
  })
  .meta({ id: 'SignedIn' });

export const refreshRequest = z
  .strictObject({ refresh: z.string().min(1).max(4_096) })
  .meta({ id: 'RefreshRequest' });

const instant = z.iso.datetime();

export const signedInBy = z
  .enum(['password', 'provider'])
  .describe('Who vouched for the person: the own password, or the identity provider.');

export const sessionList = z
  .strictObject({
    results: z.array(
      z
        .strictObject({
          id: z.string(),
          tenant_id: z.string(),
          tenant_name: z.string(),
          environment: z.enum(environments),
          ip: z.string().nullable().describe('Where it began.'),
          user_agent: z.string().nullable().describe('What the client called itself then.'),
          is_current: z.boolean().describe('The one that asks.'),
          created_at: instant,
          refreshed_at: instant.nullable(),
          expires_at: instant,
          signed_in_by: signedInBy,
        })
        .meta({ id: 'Session' }),
    ),
  })
  .meta({ id: 'SessionList' });
