import { z } from 'zod';
import { einvoicingRoles } from './einvoicing-roles.ts';
import { roles } from './messaging-roles.ts';

/** The roles of a member, as the API shows them. */
export const memberRoles = {
  role: z.enum(roles).nullable().describe('In messaging; null: none there.'),
  einvoicing_role: z
    .enum(einvoicingRoles)
    .nullable()
    .describe('In e-invoicing; null: none there, except for an owner, who may do everything.'),
};
