import type { MemberRoutesContext } from '../../people/members/context.ts';

/** What the endpoints under `/tenants/` use. */
export type TenantRoutesContext = MemberRoutesContext;

export const tag = 'Tenants';
