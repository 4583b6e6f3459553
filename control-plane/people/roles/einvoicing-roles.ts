/** Who may do what in e-invoicing: permissions by role, as data. Every `/v1` route names one of them. */
import type { Role } from './messaging-roles.ts';

/** Permissions and what they let a person or a key do. */
export const einvoicingPermissions = {
  'tenant:read': 'see the roles that there are',
  'members:read': 'see members and invitations',
  'members:write': 'invite, change and remove members',
  'invoices:read': 'see invoices, their timeline and their documents',
  'invoices:write': 'submit invoices and acknowledge them',
  'invoices:release': 'let held invoices go, and withdraw them',
  'invoices:approve': 'approve, as a second person, what somebody released',
  'received:read': 'see documents of suppliers, and the addresses to which they are sent',
  'received:write': 'put documents of suppliers into the ERP, and take them out again',
  'received:respond': 'answer suppliers, and reject their documents',
  'participants:write': 'change the addresses to which suppliers send',
  'company:read': 'see the company profile',
  'company:write': 'change the company profile, which stands in documents',
  'connectors:read': 'see connectors and mappings',
  'connectors:write': 'make, change and remove connectors, and propose mappings',
  'mappings:approve': 'approve mappings, which are used from then on',
  'agents:read': 'see bridge agents',
  'agents:write': 'enrol, command and remove bridge agents',
  'webhooks:read': 'see webhook endpoints and deliveries',
  'webhooks:write': 'change webhook endpoints and send again',
  'keys:read': 'see API keys',
  'keys:write': 'issue and revoke API keys',
  'retention:read': 'see how long invoices are kept',
  'retention:write': 'set after how long settled invoices are deleted',
  'audit:read': 'see who changed what, and who signed in',
} as const;

export type EinvoicingPermission = keyof typeof einvoicingPermissions;

export const einvoicingRoles = [
  'finance_admin',
  'approver',
  'operator',
  'auditor',
  'developer',
] as const;
export type EinvoicingRole = (typeof einvoicingRoles)[number];

interface RoleRow {
  readonly description: string;
  readonly permissions: readonly EinvoicingPermission[];
}

const every = Object.keys(einvoicingPermissions) as EinvoicingPermission[];
const documents = [
  'tenant:read',
  'invoices:read',
  'received:read',
  'company:read',
  'connectors:read',
  'agents:read',
  'webhooks:read',
] as const;

/**
 * Each role's permissions. Who makes connectors and mappings, who approves them and who submits are
 * three roles, so that no one person brings a wrong document on its way.
 */
export const einvoicingRoleTable: Readonly<Record<EinvoicingRole, RoleRow>> = {
  finance_admin: { description: 'Everything of e-invoicing, and its members.', permissions: every },
  approver: {
    description: 'Approves mappings and held invoices, and sees what they are made of.',
    permissions: [...documents, 'mappings:approve', 'invoices:approve'],
  },
  operator: {
    description: 'Submits, releases and acknowledges invoices, and imports those of suppliers.',
    permissions: [
      ...documents,
      'invoices:write',
      'invoices:release',
      'received:write',
      'received:respond',
    ],
  },
  auditor: {
    description: 'Reads everything of e-invoicing, and changes nothing.',
    permissions: every.filter((name) => name.endsWith(':read')),
  },
  developer: {
    description: 'Connects systems: connectors, agents, webhooks, keys, and submitting.',
    permissions: every.filter(
      (name) =>
        ![
          'members:write',
          // A bank account of the profile stands in documents without a further approval.
          'company:write',
          'mappings:approve',
          'invoices:release',
          'invoices:approve',
          'received:respond',
          'retention:write',
          'audit:read',
        ].includes(name),
    ),
  },
};

/** What a member may do in e-invoicing; the owner of a workspace may do everything there too. */
export function einvoicingScopesOf(
  role: Role | null,
  einvoicingRole: EinvoicingRole | null,
): readonly EinvoicingPermission[] {
  return role === 'owner' ? every : permissionsOf(einvoicingRole);
}

/** A newer node may have written a role that this one does not know: it permits nothing here. */
function permissionsOf(role: EinvoicingRole | null): readonly EinvoicingPermission[] {
  return role !== null && einvoicingRoles.includes(role)
    ? einvoicingRoleTable[role].permissions
    : [];
}

/** Permissions that mean the same in both services: those of the workspace itself. */
const shared: readonly string[] = ['tenant:read', 'members:read', 'members:write'];

/** What a role of e-invoicing permits outside of it. */
export function sharedScopesOf(einvoicingRole: EinvoicingRole | null): readonly string[] {
  return permissionsOf(einvoicingRole).filter((name) => shared.includes(name));
}
