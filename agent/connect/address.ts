/** Where invoices stand, as a person writes it in one line. */
export type Address =
  | {
      readonly kind: 'server';
      readonly connector: ServerKind;
      readonly host: string;
      readonly port: number;
      readonly database: string;
      readonly user: string;
    }
  | {
      readonly kind: 'mailbox';
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly mailbox: string;
    }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'unreadable'; readonly why: Fault };

type ServerKind = 'mysql' | 'postgres' | 'mssql';
type Fault = 'password' | 'database' | 'user' | 'form' | 'scheme' | 'api';

/** What can be chosen, in the order in which it is offered. */
export const sourceKinds = ['mysql', 'postgres', 'mssql', 'sqlite', 'files', 'imap'] as const;
export type SourceKind = (typeof sourceKinds)[number];

const servers: Readonly<Record<string, readonly [ServerKind, port: number]>> = {
  mysql: ['mysql', 3_306],
  mariadb: ['mysql', 3_306],
  postgres: ['postgres', 5_432],
  postgresql: ['postgres', 5_432],
  mssql: ['mssql', 1_433],
  sqlserver: ['mssql', 1_433],
};

/** The port of a kind that is a server. */
export function portOf(kind: string): number {
  return kind === 'imap' ? 993 : (servers[kind]?.[1] ?? 0);
}

/** As a login for reading alone is called where nothing else is said. */
export const usualUser = 'drawbridge_reader';

/**
 * Reads an address; `chosen` is the kind where that is known, so that the scheme may be left out.
 *
 *   readAddress('mysql://reader@erp/fa') // { kind: 'server', connector: 'mysql', port: 3306, … }
 */
export function readAddress(text: string, chosen?: SourceKind): Address {
  const isPath = chosen === 'sqlite' || chosen === 'files';
  const scheme = /^([a-z][a-z0-9+]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (isPath || (scheme === undefined && chosen === undefined)) return { kind: 'path', path: text };
  if (scheme === 'file') return { kind: 'path', path: decoded(text.slice('file://'.length)) };
  if (scheme === 'http' || scheme === 'https') return unreadable('api');
  const url = URL.parse(scheme === undefined ? `${chosen}://${text}` : text);
  const called = url?.protocol.slice(0, -1) ?? '';
  if (url === null || url.hostname === '') return unreadable('form');
  if (url.password !== '') return unreadable('password');
  if (called === 'imap' || called === 'imaps') return mailboxOf(url);
  const server = Object.hasOwn(servers, called) ? servers[called] : undefined;
  if (server === undefined) return unreadable('scheme');
  const database = decoded(url.pathname.slice(1));
  if (database === '' || database.includes('/')) return unreadable('database');
  if (url.search !== '') return unreadable('form');
  return {
    kind: 'server',
    connector: server[0],
    host: decoded(url.hostname).replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? server[1] : Number(url.port),
    database,
    user: decoded(url.username) || usualUser,
  };
}

function mailboxOf(url: URL): Address {
  if (url.username === '') return unreadable('user');
  return {
    kind: 'mailbox',
    host: decoded(url.hostname),
    port: url.port === '' ? portOf('imap') : Number(url.port),
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
