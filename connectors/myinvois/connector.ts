import type { ConnectorKind } from '../contract.ts';
import { serverOfUrl } from '../named-places.ts';
import { type MyInvoisSettings, myinvoisSettings } from './settings.ts';

/** Documents that a taxpayer received, as MyInvois holds them. */
export const myinvois: ConnectorKind<MyInvoisSettings> = {
  kind: 'myinvois',
  pattern: 'API',
  title: 'MyInvois: documents of suppliers',
  settings: myinvoisSettings,
  places: ({ url }) => [serverOfUrl('url', url)],
  async open(settings, context) {
    // Imported here: what it needs is large, and most hosts use one kind.
    const { MyInvoisConnector } = await import('./source.ts');
    return new MyInvoisConnector(settings, context);
  },
};
