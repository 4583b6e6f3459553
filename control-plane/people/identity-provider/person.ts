/** What the claims of a provider say of a person, and what that makes of them here. */
import { email as emailSchema } from '../accounts/email.ts';
import type { MemberRoles } from '../roles/member-roles.ts';
import { isPrintable, printable } from './printable.ts';
import type { SignInProblem } from './problem.ts';
import type { GroupRoles, IdentityProviderRow } from './store.ts';

type RoleSettings = Pick<
  IdentityProviderRow,
  'group_roles' | 'default_role' | 'default_einvoicing_role'
>;

export type Claims = Readonly<Record<string, unknown>>;

/** Somebody whom the provider vouches for. */
export interface VouchedPerson {
  readonly issuer: string;
  readonly subject: string;
  /** In lower case. */
  readonly email: string;
  /** The provider says that it has verified the address. */
  readonly isEmailVerified: boolean;
  readonly name: string;
  readonly groups: readonly string[];
}

type Read<Value> =
  | { readonly kind: 'found'; readonly value: Value }
  | { readonly kind: 'problem'; readonly problem: SignInProblem };

const nameMax = 200;
const subjectMax = 255;
const groupsMax = 1_000;
const groupLengthMax = 500;

/** The person, or why whoever it is cannot sign in to this workspace. */
export function personOf(
  claims: Claims,
  provider: Pick<IdentityProviderRow, 'issuer' | 'groups_claim' | 'email_domains'>,
): Read<VouchedPerson> {
  const { sub, email_verified: verified } = claims;
  if (typeof sub !== 'string' || !isPrintable(sub, subjectMax)) {
    return { kind: 'problem', problem: 'provider_answer_refused' };
  }
  const email = emailSchema.safeParse(claims.email);
  if (!email.success) return { kind: 'problem', problem: 'email_missing' };
  // Some providers write it as a text.
  const isEmailVerified = verified === true || verified === 'true';
  if (verified !== undefined && !isEmailVerified) {
    return { kind: 'problem', problem: 'email_unverified' };
  }
  if (!isWithin(email.data, provider.email_domains)) {
    return { kind: 'problem', problem: 'email_domain' };
  }
  return {
    kind: 'found',
    value: {
      issuer: provider.issuer,
      subject: sub,
      email: email.data,
      isEmailVerified,
      name: nameOf(claims, email.data),
      groups: groupsOf(claims, provider.groups_claim),
    },
  };
}

function isWithin(email: string, domains: readonly string[]): boolean {
  return domains.length === 0 || domains.includes(email.slice(email.lastIndexOf('@') + 1));
}

function nameOf({ name, given_name, family_name }: Claims, email: string): string {
  const parts = [given_name, family_name].filter((part) => typeof part === 'string');
  const text = typeof name === 'string' ? name : parts.join(' ');
  return printable(text, nameMax) || email;
}

/** The groups of a claim, which may stand within others: `realm_access.roles`. */
export function groupsOf(claims: Claims, path: string): readonly string[] {
  const value = claims[path] ?? path.split('.').reduce<unknown>(memberOf, claims);
  const all = Array.isArray(value) ? value : [value];
  return all
    .filter((each) => typeof each === 'string' && isPrintable(each, groupLengthMax))
    .slice(0, groupsMax);
}

function memberOf(value: unknown, name: string): unknown {
  const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isOwn ? (value as Claims)[name] : undefined;
}

/** What the groups are here: the first that fits, for each service; undefined: nothing in either. */
export function rolesOf(
  groups: readonly string[],
  provider: RoleSettings,
): MemberRoles | undefined {
  const own = provider.group_roles.filter(({ group }) => groups.includes(group));
  const first = <Name extends keyof MemberRoles>(name: Name) =>
    own.find((each) => each[name] !== null)?.[name] ?? null;
  const isInSome = own.length > 0;
  const role = isInSome ? first('role') : provider.default_role;
  const einvoicing_role = isInSome ? first('einvoicing_role') : provider.default_einvoicing_role;
  return role === null && einvoicing_role === null ? undefined : { role, einvoicing_role };
}

/** All roles that the provider can give. */
export function givenRoles(provider: RoleSettings): readonly MemberRoles[] {
  const { group_roles, default_role: role, default_einvoicing_role: einvoicing_role } = provider;
  return [...group_roles.map(memberRolesOf), { role, einvoicing_role }];
}

function memberRolesOf({ role, einvoicing_role }: GroupRoles): MemberRoles {
  return { role, einvoicing_role };
}

/**
 * The roles of a member after a sign-in; `given`: what the groups are, undefined: nothing. A service of which the
 * provider gives no role is not its own, and an owner whom it cannot make it does not unmake: whoever may set it up
 * could not take these roles by hand either.
 */
export function nextRoles(
  current: MemberRoles,
  given: MemberRoles | undefined,
  provider: RoleSettings,
): MemberRoles {
  const all = givenRoles(provider);
  const isItsOwn = (name: keyof MemberRoles) => all.some((each) => each[name] !== null);
  const staysOwner = current.role === 'owner' && !all.some(({ role }) => role === 'owner');
  const { role = null, einvoicing_role = null } = given ?? {};
  return {
    role: staysOwner || !isItsOwn('role') ? current.role : role,
    einvoicing_role: isItsOwn('einvoicing_role') ? einvoicing_role : current.einvoicing_role,
  };
}

/** Whether the provider could have given the member each of the roles that it has. */
export function isWithinGiven(
  { role, einvoicing_role }: MemberRoles,
  given: readonly MemberRoles[],
): boolean {
  return (
    (role === null || given.some((each) => each.role === role)) &&
    (einvoicing_role === null || given.some((each) => each.einvoicing_role === einvoicing_role))
  );
}
