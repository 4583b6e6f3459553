import { z } from 'zod';
import { personName } from '../members/schema.ts';
import { memberRoles } from '../roles/schema.ts';
import { signInProblems } from './problem.ts';

const domain = z
  .string()
  .max(253)
  .toLowerCase()
  .regex(
    /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/,
    'must be a domain such as acme.example',
  );

/** What people type to sign in through the provider of their workspace. */
const signInName = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9][a-z0-9-]{1,48}[a-z0-9]$/, 'must be 3 to 50 letters, digits and hyphens');

/** Printable, since it goes into headers and addresses. */
const word = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\x21-\x7e]+$/, 'must be one word');
const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^\P{Cc}+$/u, 'must be printable');

const someRole = (roles: { role: unknown; einvoicing_role: unknown }) =>
  roles.role !== null || roles.einvoicing_role !== null;
const oneIsNeeded = { path: ['role'], message: 'is required, or einvoicing_role' };

const roleDefaults = {
  role: memberRoles.role.default(null),
  einvoicing_role: memberRoles.einvoicing_role.default(null),
};

const group = text(500);
const groupRoles = z.strictObject({ group, ...memberRoles }).meta({ id: 'GroupRoles' });
const groupRolesRequest = z
  .strictObject({ group, ...roleDefaults })
  .refine(someRole, oneIsNeeded)
  .meta({ id: 'GroupRolesRequest' });
const defaultRoles = z.strictObject(memberRoles).meta({ id: 'DefaultRoles' });
const defaultRolesRequest = z
  .strictObject(roleDefaults)
  .refine(someRole, oneIsNeeded)
  .meta({ id: 'DefaultRolesRequest' });

const firstCounts =
  'The first that fits counts, for each service. Nobody names a role that they could not grant.';
const whoeverElse = 'Of whoever is in none of the groups; null: they are refused.';

const shared = {
  name: personName.describe('What people call it: “Acme sign-on”.'),
  sign_in_name: signInName.describe('What people type at the sign-in page; unique here.'),
  issuer: z
    .url()
    .max(2_000)
    .describe('As the provider writes it, with or without a slash at the end.'),
  client_id: word(500),
  scopes: z
    .array(word(200))
    .max(50)
    .refine((scopes) => scopes.includes('openid'), 'must hold openid'),
  groups_claim: word(200).describe(
    'The claim with the groups; within others: `realm_access.roles`.',
  ),
  email_domains: z
    .array(domain)
    .max(50)
    .describe(
      'Whose addresses may sign in; none: any. Members who are there already are known only by an address of these.',
    ),
  is_required: z
    .boolean()
    .describe('Members sign in through it alone, not by password. Owners may always use theirs.'),
  proof_acr_values: z
    .array(word(200))
    .max(20)
    .describe('One of them has to be in `acr` before keys, secrets and approvals; none: any.'),
  proof_amr_values: z
    .array(word(200))
    .max(20)
    .describe('One of them has to be in `amr` before keys, secrets and approvals; none: any.'),
  is_enabled: z.boolean().describe('False: it can be tried, and nobody signs in through it.'),
};

export const identityProviderRequest = z
  .strictObject({
    ...shared,
    client_secret: text(2_000)
      .nullable()
      .optional()
      .describe('Never answered. Left out: the one before stays; null: a client without a secret.'),
    scopes: shared.scopes.default(['openid', 'email', 'profile']),
    groups_claim: shared.groups_claim.default('groups'),
    group_roles: z.array(groupRolesRequest).max(200).default([]).describe(firstCounts),
    default_roles: defaultRolesRequest.nullable().default(null).describe(whoeverElse),
    email_domains: shared.email_domains.default([]),
    is_required: shared.is_required.default(false),
    proof_acr_values: shared.proof_acr_values.default([]),
    proof_amr_values: shared.proof_amr_values.default([]),
    is_enabled: shared.is_enabled.default(true),
  })
  .meta({ id: 'IdentityProviderRequest' });

export type IdentityProviderRequest = z.output<typeof identityProviderRequest>;

const trial = z
  .strictObject({
    at: z.iso.datetime(),
    problem: z.enum(signInProblems).nullable().describe('Why nobody would have been signed in.'),
    detail: z.string().nullable().describe('What is behind the problem.'),
    subject: z.string().nullable(),
    email: z.string().nullable(),
    groups: z.array(z.string()).describe('As many as 50.'),
    ...memberRoles,
    claims: z.array(z.string()).describe('The names of all claims that came.'),
  })
  .meta({ id: 'SignInTrial' });

const identityProvider = z
  .strictObject({
    ...shared,
    group_roles: z.array(groupRoles).describe(firstCounts),
    default_roles: defaultRoles.nullable().describe(whoeverElse),
    has_client_secret: z.boolean(),
    last_trial: trial.nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'IdentityProvider' });

export const identityProviderView = z
  .strictObject({
    provider: identityProvider.nullable().describe('Null: there is none.'),
    redirect_uris: z.array(z.string()).describe('To register at the provider.'),
    sign_out_uris: z.array(z.string()).describe('To register there as pages after signing out.'),
    backchannel_logout_uri: z
      .string()
      .describe('Where the provider says that somebody signed out.'),
  })
  .meta({ id: 'IdentityProviderSettings' });

export const providerCheck = z
  .strictObject({
    ok: z.boolean(),
    detail: z.string().describe('What was found, or what is wrong.'),
    authorization_endpoint: z.string().nullable(),
    ends_sessions: z.boolean().describe('It has a page that ends its own session.'),
    tells_sign_outs: z.boolean().describe('It says by itself that somebody signed out.'),
  })
  .meta({ id: 'IdentityProviderCheck' });

/** A path of the console, never another address. */
export const returnPath = z
  .string()
  .max(1_000)
  .regex(/^\/(?![/\\])[\x21-\x7e]*$/, 'must be a path of the console');

export const signInRequest = z
  .strictObject({
    workspace: signInName.describe('Its sign-in name.'),
    return_to: returnPath.default('/').describe('The page of the console to go to afterwards.'),
  })
  .meta({ id: 'ProviderSignInRequest' });

export const signInStart = z
  .strictObject({ url: z.string().describe('Where the browser goes on: a page of the provider.') })
  .meta({ id: 'ProviderSignInStart' });
