import { connectorKinds } from '@drawbridge/connectors/registry.ts';
import { route } from '../../platform/http/route.ts';
import { settingsSchema } from '../../platform/setting-forms/settings-schema.ts';
import { connectorKindList } from './schema.ts';

/** The same for everybody, and as long as the process lives. */
const results = connectorKinds.map(({ kind, pattern, title, settings, layout = [] }) => ({
  kind,
  pattern,
  title,
  settings: settingsSchema(settings),
  layout,
}));

/** Which kinds of sources there are, and what each is to be told. */
export const connectorKindsRoute = route({
  method: 'get',
  path: '/v1/connector-kinds',
  operationId: 'listConnectorKinds',
  summary: 'List the kinds of sources with their settings',
  description: 'For forms: what `pattern`, `kind` and `settings` of `POST /v1/connectors` may be.',
  tag: 'Connectors',
  auth: { scope: 'connectors:read' },
  limit: 'read',
  responses: { 200: { description: 'All kinds.', schema: connectorKindList } },
  handler: async () => ({ status: 200, body: { results } }),
});
