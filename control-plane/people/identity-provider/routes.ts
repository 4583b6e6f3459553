import type { AnyRoute } from '../../platform/http/route.ts';
import { type BackchannelLogoutContext, backchannelLogoutRoute } from './backchannel-logout.ts';
import { type CallbackContext, callbackRoute } from './callback.ts';
import { signInRoutes } from './sign-in-routes.ts';

export type ProviderSignInContext = CallbackContext & BackchannelLogoutContext;

/** Signing in through the identity provider of a workspace, in a browser; good for both services. */
export function providerSignInRoutes(context: ProviderSignInContext): AnyRoute[] {
  return [...signInRoutes(context), callbackRoute(context), backchannelLogoutRoute(context)];
}
