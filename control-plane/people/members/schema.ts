import { z } from 'zod';
import { email } from '../accounts/email.ts';
import { memberRoles } from '../roles/schema.ts';

const instant = z.iso.datetime();
export const userId = z.string().max(100);

/** A member's name for people; no control characters, since it goes into mail. */
export const personName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}*$/u, 'must not hold control characters');

export const memberView = z
  .strictObject({
    id: z.string(),
    email: z.string(),
    name: z.string(),
    ...memberRoles,
    signs_in_by: z
      .enum(['password', 'provider'])
      .describe('`provider`: by the identity provider of the workspace, without a password here.'),
    has_second_factor: z
      .boolean()
      .describe('Of the password; what a provider asks for is not known here.'),
    joined_at: instant,
  })
  .meta({ id: 'Member' });

export const memberPatch = z
  .strictObject({
    role: memberRoles.role.optional(),
    einvoicing_role: memberRoles.einvoicing_role.optional(),
  })
  .meta({ id: 'MemberPatch' });

export const inviteRequest = z
  .strictObject({
    email,
    role: memberRoles.role.default(null),
    einvoicing_role: memberRoles.einvoicing_role.default(null),
  })
  .refine((asked) => asked.role !== null || asked.einvoicing_role !== null, {
    path: ['role'],
    message: 'is required, or einvoicing_role',
  })
  .meta({ id: 'InviteRequest' });

export const invitationView = z
  .strictObject({
    id: z.string(),
    email: z.string(),
    ...memberRoles,
    invited_by: z.string(),
    created_at: instant,
    expires_at: instant,
  })
  .meta({ id: 'Invitation' });
