import type { AnyRoute } from '../../platform/http/route.ts';
import { apiKeyRoutes } from './api-keys.ts';
import { brandingRoutes } from './branding.ts';
import type { TenantRoutesContext } from './context.ts';
import { invitationRoutes } from './invitations.ts';
import { memberRoutes } from './members.ts';
import { onboardingRoutes } from './onboarding.ts';
import { tagRoutes } from './tags.ts';
import { wabaRoutes } from './waba.ts';
import { walletRoutes } from './wallet.ts';

/** The endpoints of a tenant's settings and people. */
export function tenantRoutes(context: TenantRoutesContext): AnyRoute[] {
  return [
    ...onboardingRoutes(context),
    ...brandingRoutes(context),
    ...memberRoutes(context),
    ...invitationRoutes(context),
    ...walletRoutes(context),
    ...wabaRoutes(context),
    ...tagRoutes(context),
    ...apiKeyRoutes(context),
  ];
}
