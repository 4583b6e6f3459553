import type { AnyRoute } from '../platform/http/route.ts';
import { type PasswordRoutesContext, passwordRoutes } from './accounts/password-routes.ts';
import type { PeopleApi } from './api.ts';
import type { ProviderSignInContext } from './identity-provider/routes.ts';
import {
  type ProviderSettingsContext,
  providerSettingsRoutes,
} from './identity-provider/settings-routes.ts';
import type { MemberRoutesContext } from './members/context.ts';
import type { MemberHookList } from './members/hooks.ts';
import { invitationRoutes } from './members/invitation-routes.ts';
import { memberRoutes } from './members/routes.ts';
import { type SecondFactorRoutesContext, secondFactorRoutes } from './second-factor/routes.ts';
import type { BrowserRoutesContext } from './sessions/browser-routes.ts';
import { type TokenRoutesContext, tokenRoutes } from './sessions/routes.ts';
import { sessionRoutes } from './sessions/session-routes.ts';

/** What the routes of people work with, in either service. */
export interface PeopleContext
  extends TokenRoutesContext,
    PasswordRoutesContext,
    SecondFactorRoutesContext,
    MemberRoutesContext,
    ProviderSettingsContext,
    ProviderSignInContext,
    BrowserRoutesContext {
  readonly memberHooks: MemberHookList;
}

/** Signing in, accounts, members and invitations, under the paths of one service. */
export function peopleRoutes(api: PeopleApi, context: PeopleContext): AnyRoute[] {
  return [
    ...tokenRoutes(api, context),
    ...passwordRoutes(api, context),
    ...sessionRoutes(api, context),
    ...secondFactorRoutes(api, context),
    ...providerSettingsRoutes(api, context),
    ...memberRoutes(api, context),
    ...invitationRoutes(api, context),
  ];
}
