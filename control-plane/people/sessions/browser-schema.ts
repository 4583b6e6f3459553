import { z } from 'zod';
import { environments } from '../../platform/auth/principal.ts';
import { memberRoles } from '../roles/schema.ts';
import { signedInBy, tokenRequest } from './schema.ts';

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
    tenants: z
      .array(workspace)
      .describe('Workspaces of the person to which this session may go; its own is among them.'),
    signed_in_by: signedInBy,
    environment: z.enum(environments),
    ends: z
      .strictObject({
        idle_seconds: z
          .int()
          .describe(
            'It lasts at least so long after each request with the header `Person-Acted: ?1`, which says that ' +
              'a person did something since the last one. What a page asks for by itself goes without.',
          ),
        remaining_seconds: z
          .int()
          .describe('It ends so long after this answer, however it is used.'),
      })
      .optional()
      .describe('When the session ends by itself; of a session in a browser.'),
    addresses: z.strictObject({ live: z.string(), sandbox: z.string() }),
  })
  .meta({ id: 'BrowserSession' });
