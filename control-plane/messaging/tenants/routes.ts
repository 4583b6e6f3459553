import { type AuditLogApi, auditLogRoutes } from '../../people/audit-log/routes.ts';
import type { AnyRoute } from '../../platform/http/route.ts';
import { apiKeyRoutes } from './api-keys/routes.ts';
import { brandingRoutes } from './branding/routes.ts';
import type { TenantRoutesContext } from './context.ts';
import { onboardingRoutes } from './onboarding/routes.ts';
import { wabaRoutes } from './onboarding/waba-routes.ts';
import { tagRoutes } from './tag-routes.ts';
import { walletRoutes } from './wallet/routes.ts';

const auditLogApi: AuditLogApi = {
  service: 'messaging',
  path: '/tenants/audit-log/',
  exportPath: '/tenants/audit-log/export/',
};

/** The endpoints under `/tenants/`. */
export function tenantRoutes(context: TenantRoutesContext): AnyRoute[] {
  return [
    ...onboardingRoutes(context),
    ...brandingRoutes(context),
    ...walletRoutes(context),
    ...wabaRoutes(context),
    ...tagRoutes(context),
    ...apiKeyRoutes(context),
    ...auditLogRoutes(auditLogApi, context),
  ];
}
