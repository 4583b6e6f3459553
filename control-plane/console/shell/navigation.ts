import type { LinkProps } from '@tanstack/react-router';
import { mayDo, type Session } from '../api/session.ts';

interface Item {
  readonly to: NonNullable<LinkProps['to']>;
  readonly text:
    | 'overview'
    | 'invoices'
    | 'received'
    | 'sources'
    | 'company'
    | 'webhooks'
    | 'keys'
    | 'members'
    | 'identityProvider'
    | 'auditLog'
    | 'settings'
    | 'docs'
    | 'wallet'
    | 'branding'
    | 'inbox'
    | 'contacts'
    | 'broadcasts'
    | 'templates'
    | 'calls'
    | 'channels';
  /** Who may not do this does not see the page. */
  readonly needs?: Need;
  /** What shows it just as well. */
  readonly or?: Need;
}

type Need = readonly [service: 'einvoicing' | 'messaging', permission: string];

interface Group {
  readonly text?: 'invoicing' | 'workspaceGroup' | 'messaging';
  readonly items: readonly Item[];
}

/** All pages that are reached by the navigation, in its order. */
const groups: readonly Group[] = [
  { items: [{ to: '/', text: 'overview' }] },
  {
    text: 'invoicing',
    items: [
      { to: '/invoices', text: 'invoices', needs: ['einvoicing', 'invoices:read'] },
      { to: '/received', text: 'received', needs: ['einvoicing', 'received:read'] },
      { to: '/sources', text: 'sources', needs: ['einvoicing', 'connectors:read'] },
      { to: '/company', text: 'company', needs: ['einvoicing', 'company:read'] },
      { to: '/webhooks', text: 'webhooks', needs: ['einvoicing', 'webhooks:read'] },
    ],
  },
  {
    text: 'messaging',
    items: [
      { to: '/inbox', text: 'inbox', needs: ['messaging', 'inbox:read'] },
      { to: '/contacts', text: 'contacts', needs: ['messaging', 'contacts:read'] },
      { to: '/broadcasts', text: 'broadcasts', needs: ['messaging', 'broadcasts:read'] },
      { to: '/templates', text: 'templates', needs: ['messaging', 'templates:read'] },
      { to: '/calls', text: 'calls', needs: ['messaging', 'calls:read'] },
      { to: '/channels', text: 'channels', needs: ['messaging', 'channels:read'] },
    ],
  },
  {
    text: 'workspaceGroup',
    items: [
      { to: '/members', text: 'members', needs: ['einvoicing', 'members:read'] },
      {
        to: '/identity-provider',
        text: 'identityProvider',
        needs: ['einvoicing', 'members:read'],
      },
      { to: '/keys', text: 'keys', needs: ['einvoicing', 'keys:read'] },
      { to: '/audit-log', text: 'auditLog', needs: ['einvoicing', 'audit:read'] },
      { to: '/wallet', text: 'wallet', needs: ['messaging', 'wallet:read'] },
      { to: '/branding', text: 'branding', needs: ['messaging', 'branding:read'] },
      {
        to: '/settings',
        text: 'settings',
        needs: ['einvoicing', 'connectors:read'],
        or: ['messaging', 'retention:read'],
      },
      { to: '/docs', text: 'docs' },
    ],
  },
];

/** What the person may see. */
export function navigationOf(session: Session): readonly Group[] {
  return groups
    .map((group) => ({
      ...group,
      items: group.items.filter(({ needs, or }) => {
        const sufficient = [needs, or].filter((each) => each !== undefined);
        return needs === undefined || sufficient.some((each) => mayDo(session, ...each));
      }),
    }))
    .filter(({ items }) => items.length > 0);
}
