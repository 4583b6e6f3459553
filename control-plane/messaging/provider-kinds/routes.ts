import { channels } from '../../channels/registry.ts';
import { scopeOf } from '../../platform/auth/tenant-scope.ts';
import { type AnyRoute, route } from '../../platform/http/route.ts';
import type { AppOpener } from '../apps/app-opener.ts';
import { providerKindList, providerKindOf } from './schema.ts';

export interface ProviderKindsContext {
  readonly appOpener: AppOpener;
}

/** Which providers of messages there are, and what each is to be told. */
export function providerKindRoutes({ appOpener }: ProviderKindsContext): AnyRoute[] {
  const list = route({
    method: 'get',
    path: '/provider-kinds/',
    operationId: 'listProviderKinds',
    summary: 'List the providers of all channels with their settings',
    description:
      'For forms: what `provider` and `settings` may be where an account is connected. Those of calls: ' +
      '`GET /voice/api/provider-kinds/`.',
    tag: 'Channels',
    auth: { scope: 'channels:read' },
    limit: 'read',
    responses: { 200: { description: 'All providers.', schema: providerKindList } },
    handler: async ({ principal }) => {
      const { environment } = scopeOf(principal);
      const results = channels.map((each) =>
        providerKindOf(each.channel, each, appOpener.defaults(environment, each.id)),
      );
      return { status: 200, body: { results } };
    },
  });
  return [list];
}
