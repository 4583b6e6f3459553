import type { ConnectorKind } from '../contract.ts';
import { contentLayout } from '../file-content/settings.ts';
import { serverOfUrl } from '../named-places.ts';
import { type ImapSettings, imapSettings } from './settings.ts';

/** Attachments of the messages in a mailbox. */
export const imap: ConnectorKind<ImapSettings> = {
  kind: 'imap',
  pattern: 'email',
  title: 'Attachments in a mailbox (IMAP)',
  settings: imapSettings,
  layout: contentLayout,
  mayTakeInvalid: true,
  address: { kind: 'mailbox', schemes: ['imaps', 'imap'], port: 993 },
  places: ({ host, oauth }) => [
    { kind: 'host', member: 'host', host },
    ...(oauth === undefined ? [] : [serverOfUrl('oauth.tokenUrl', oauth.tokenUrl)]),
  ],
  async open(settings, context) {
    // Imported here: what it needs is large, and most hosts use one kind.
    const { ImapConnector } = await import('./source.ts');
    return new ImapConnector(settings, context);
  },
};
