import { einvoicing, got } from '../../api/client.ts';
import type { components } from '../../api/einvoice-api.d.ts';
import { pagesOf } from '../../api/paging.ts';

export type Member = components['schemas']['Member'];
export type Invitation = components['schemas']['Invitation'];
export type Roles = Pick<Member, 'role' | 'einvoicing_role'>;

export const messagingRoles = [
  'owner',
  'admin',
  'agent',
  'analyst',
  'developer',
  'billing',
] as const;
export const einvoicingRoles = [
  'finance_admin',
  'approver',
  'operator',
  'auditor',
  'developer',
] as const;

export const membersQuery = pagesOf(['members'], (query) =>
  got(einvoicing.GET('/v1/members', { params: { query } })),
);

export const invitationsQuery = pagesOf(['invitations'], (query) =>
  got(einvoicing.GET('/v1/invitations', { params: { query } })),
);

export const invite = (email: string, roles: Roles) =>
  got(einvoicing.POST('/v1/invitations', { body: { email, ...roles } }));

export const withdraw = (id: string) =>
  got(einvoicing.DELETE('/v1/invitations/{id}', { params: { path: { id } } }));

export const changeRoles = (id: string, roles: Partial<Roles>) =>
  got(einvoicing.PATCH('/v1/members/{id}', { params: { path: { id } }, body: roles }));

export const removeMember = (id: string) =>
  got(einvoicing.DELETE('/v1/members/{id}', { params: { path: { id } } }));
