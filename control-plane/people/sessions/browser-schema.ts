import { z } from 'zod';
import { environments } from '../../platform/auth/principal.ts';
import { memberRoles } from '../roles/schema.ts';
import { tokenRequest } from './schema.ts';

export const browserSignIn = tokenRequest.omit({ device: true }).meta({ id: 'BrowserSignIn' });

const workspace = z.strictObject({ id: z.string(), name: z.string() });
const permissions = z.array(z.string());

export const browserSession = z
  .strictObject({
    user: z.strictObject({
      id: z.string(),
      name: z.string(),
      email: z.string(),
      has_second_factor: z.boolean(),
    }),
    tenant: workspace.describe('The workspace that the session is for.'),
    ...memberRoles,
    permissions: z
      .strictObject({ einvoicing: permissions, messaging: permissions })
      .describe('What the person may do in each service; `*` is everything.'),
    tenants: z.array(workspace).describe('All workspaces of the person.'),
    environment: z.enum(environments),
    addresses: z.strictObject({ live: z.string(), sandbox: z.string() }),
  })
  .meta({ id: 'BrowserSession' });
