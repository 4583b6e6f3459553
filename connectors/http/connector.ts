import type { ConnectorKind } from '../contract.ts';
import { serverOfUrl } from '../named-places.ts';
import { type HttpSettings, httpSettings } from './settings.ts';

/** ERPs with an API of JSON over HTTP. */
export const http: ConnectorKind<HttpSettings> = {
  kind: 'http',
  pattern: 'API',
  title: 'JSON API over HTTP',
  settings: httpSettings,
  places: ({ url, auth }) => [
    serverOfUrl('url', url),
    ...(auth.type === 'oauth2' ? [serverOfUrl('auth.client.tokenUrl', auth.client.tokenUrl)] : []),
  ],
  async open(settings, context) {
    // Imported here: what it needs is large, and most hosts use one kind.
    const { HttpConnector } = await import('./source.ts');
    return new HttpConnector(settings, context);
  },
};
