/** Who may do what: permissions by role, as data. Every route names one of the permissions. */

/** The permissions, with what each allows. */
export const permissions = {
  'tenant:read': 'see the roles and what is left to set up',
  'branding:read': 'see the branding',
  'branding:write': 'change domain, logo and e-mail sender',
  'members:read': 'see members and invitations',
  'members:write': 'invite, change and remove members',
  'owners:write': 'make, change and remove owners',
  'keys:read': 'see API keys',
  'keys:write': 'issue and revoke API keys',
  'wallet:read': 'see the balance and what was spent',
  'wallet:write': 'say when the wallet is low',
  'waba:read': 'see the chat-app business account',
  'waba:write': 'change the chat-app business account',
  'tags:read': 'see tags',
  'tags:write': 'make, change and remove tags',
  'contacts:read': 'see contacts, segments, consents and opt-outs',
  'contacts:write': 'change contacts, segments, consents and opt-outs',
  'contacts:delete': 'delete contacts and segments',
  'channels:read': 'see apps, bots and provider configurations',
  'channels:write': 'change apps, bots and provider configurations',
  'templates:read': 'see templates',
  'templates:write': 'submit, change and remove templates',
  'messages:read': 'see messages',
  'messages:write': 'send messages',
  'broadcasts:read': 'see broadcasts, clicks and rates',
  'broadcasts:write': 'make and stop broadcasts',
  'calls:read': 'see calls, events and recordings',
  'calls:write': 'place calls and log consents to recording',
  'recordings:delete': 'delete recordings of calls',
  'inbox:read': 'read the team inbox',
  'inbox:write': 'answer, assign and close conversations',
  'inbox:manage': 'set business hours, how soon an answer is promised, and canned replies',
  'webhooks:read': 'see webhook endpoints and deliveries',
  'webhooks:write': 'change webhook endpoints and send again',
  'retention:read': 'see how long messages and contacts are kept',
  'retention:write': 'set after how long messages and contacts are deleted',
  'audit:read': 'see who changed what, and who signed in',
} as const;

type Permission = keyof typeof permissions;

export const roles = ['owner', 'admin', 'agent', 'analyst', 'developer', 'billing'] as const;
export type Role = (typeof roles)[number];

interface RoleRow {
  readonly description: string;
  readonly permissions: readonly Permission[];
}

const every = Object.keys(permissions) as Permission[];
const everyRead = every.filter((name) => name.endsWith(':read'));

/** The permissions of each role. Nobody can grant what they lack, so only owners make owners. */
export const roleTable: Readonly<Record<Role, RoleRow>> = {
  owner: { description: 'Everything, other owners included.', permissions: every },
  admin: {
    description: 'Everything but making owners.',
    permissions: every.filter((name) => name !== 'owners:write'),
  },
  agent: {
    description: 'Answers customers: inbox, messages, calls and contacts.',
    permissions: [
      'tenant:read',
      'branding:read',
      'tags:read',
      'channels:read',
      'contacts:read',
      'contacts:write',
      'templates:read',
      'messages:read',
      'messages:write',
      'calls:read',
      'calls:write',
      'inbox:read',
      'inbox:write',
    ],
  },
  analyst: {
    description: 'Reads everything that customers did, and changes nothing.',
    permissions: everyRead.filter((name) => !/^(keys|wallet|webhooks|audit):/.test(name)),
  },
  developer: {
    description: 'Connects systems: keys, webhooks, channels, templates, and sending.',
    permissions: every.filter(
      (name) => !/^(members:write|owners:|wallet:|branding:write|audit:)/.test(name),
    ),
  },
  billing: {
    description: 'The wallet, and how much was sent.',
    permissions: [
      'tenant:read',
      'branding:read',
      'tags:read',
      'broadcasts:read',
      'wallet:read',
      'wallet:write',
    ],
  },
};

/** The permissions of an API key's scopes: `role:agent` means what that role may do now. */
export function scopesOf(scopes: readonly string[]): readonly string[] {
  return scopes.flatMap((scope): readonly string[] => {
    const role = /^role:(.+)$/.exec(scope)?.[1];
    if (role === undefined) return [scope];
    return isRole(role) ? roleTable[role].permissions : [];
  });
}

export function isRole(name: string): name is Role {
  return (roles as readonly string[]).includes(name);
}

/** Whether somebody with these scopes may grant the role. */
export function mayGrant(scopes: readonly string[], role: Role): boolean {
  return scopes.includes('*') || roleTable[role].permissions.every((name) => scopes.includes(name));
}

/** Whether conversations may be assigned to somebody in this role, or without one. */
export function mayAnswer(role: Role | null | undefined): boolean {
  return allows(role, 'inbox:write');
}

/** Whether somebody in this role, or without one, may be told what became of broadcasts. */
export function mayReadBroadcasts(role: Role | null | undefined): boolean {
  return allows(role, 'broadcasts:read');
}

function allows(role: Role | null | undefined, permission: Permission): boolean {
  return role != null && roleTable[role].permissions.includes(permission);
}
