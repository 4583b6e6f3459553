import type { EinvoicingRole } from './einvoicing-roles.ts';
import type { Role } from './messaging-roles.ts';

/** What a member is in each service; null: nothing. One of the two is always there. */
export interface MemberRoles {
  readonly role: Role | null;
  readonly einvoicing_role: EinvoicingRole | null;
}
