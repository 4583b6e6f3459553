import type { AddressForm } from '@drawbridge/connectors/contract.ts';
import { connectorKinds } from '@drawbridge/connectors/registry.ts';

/** Where invoices stand, as a person writes it in one line. */
export type Address =
  | {
      readonly kind: 'server';
      readonly connector: string;
      readonly host: string;
      readonly port: number;
      readonly database: string;
      readonly user: string;
    }
  | {
      readonly kind: 'mailbox';
      readonly connector: string;
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly mailbox: string;
    }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'unreadable'; readonly why: Fault };

type Fault = 'password' | 'database' | 'user' | 'form' | 'scheme' | 'api';

/** A kind of source that can be chosen. */
export interface SourceKind {
  readonly kind: string;
  readonly title: string;
  readonly address: AddressForm;
}

/** What can be chosen, in the order in which it is offered. */
export const sourceKinds: readonly SourceKind[] = connectorKinds.flatMap(
  ({ kind, title, address }) => (address === undefined ? [] : [{ kind, title, address }]),
);

/** How a person says where a source of that kind is; undefined where a line does not say it. */
export function addressFormOf(kind: string): AddressForm | undefined {
  return sourceKinds.find((one) => one.kind === kind)?.address;
}

/** Schemes with which an address may begin: one of each kind. */
export const usualSchemes: readonly string[] = sourceKinds.flatMap(({ address }) =>
  'schemes' in address ? address.schemes.slice(0, 1) : [],
);

/** As a login for reading alone is called where nothing else is said. */
export const usualUser = 'drawbridge_reader';

/**
 * Reads an address; `chosen` is the kind where that is known, so that the scheme may be left out.
 *
 *   readAddress('mysql://reader@erp/fa') // { kind: 'server', connector: 'mysql', port: 3306, … }
 */
export function readAddress(text: string, chosen?: SourceKind): Address {
  const isPath = chosen !== undefined && !('schemes' in chosen.address);
  const scheme = /^([a-z][a-z0-9+]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (isPath || (scheme === undefined && chosen === undefined)) return { kind: 'path', path: text };
  if (scheme === 'file') return { kind: 'path', path: decoded(text.slice('file://'.length)) };
  if (scheme === 'http' || scheme === 'https') return unreadable('api');
  const form = scheme === undefined ? chosen : sourceKinds.find((one) => hasScheme(one, scheme));
  const url = URL.parse(scheme === undefined ? `${chosen!.kind}://${text}` : text);
  if (url === null || url.hostname === '') return unreadable('form');
  if (url.password !== '') return unreadable('password');
  if (form === undefined) return unreadable('scheme');
  const { kind: connector, address } = form;
  switch (address.kind) {
    case 'server':
      return serverOf(url, connector, address.port);
    case 'mailbox':
      return mailboxOf(url, connector, address.port);
    default:
      return unreadable('scheme');
  }
}

function hasScheme({ address }: SourceKind, scheme: string): boolean {
  return 'schemes' in address && address.schemes.includes(scheme);
}

function serverOf(url: URL, connector: string, port: number): Address {
  const database = decoded(url.pathname.slice(1));
  if (database === '' || database.includes('/')) return unreadable('database');
  if (url.search !== '') return unreadable('form');
  return {
    kind: 'server',
    connector,
    host: decoded(url.hostname).replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? port : Number(url.port),
    database,
    user: decoded(url.username) || usualUser,
  };
}

function mailboxOf(url: URL, connector: string, port: number): Address {
  if (url.username === '') return unreadable('user');
  return {
    kind: 'mailbox',
    connector,
    host: decoded(url.hostname),
    port: url.port === '' ? port : Number(url.port),
    user: decoded(url.username),
    mailbox: decoded(url.pathname.slice(1)) || 'INBOX',
  };
}

function unreadable(why: Fault): Address {
  return { kind: 'unreadable', why };
}

/** A percent sign that encodes nothing stands for itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
