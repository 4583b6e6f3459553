import { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import type { NamedPlace } from '../contract.ts';
import type { Users } from './rights.ts';
import { changes, draftTarget, sections, writeBackMeta, writeBackSettings } from './settings.ts';

/** Address and credentials of a database server. */
export interface SqlServer {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  readonly tls: 'off' | 'unverified' | 'verify';
  /** PEM of the CAs that are trusted in place of the public ones. */
  readonly tlsCa?: string | undefined;
}

const text = z.string().min(1).max(256);
const password = z.string().max(1_000).optional().meta({ secret: true });

/** The fields of a kind that is a server; its addresses begin with one of `schemes`. */
export function serverFields(schemes: readonly [string, ...string[]], port: number) {
  const example = `${schemes[0]}://user:password@host:${port}/database`;
  return {
    url: z
      .string()
      .max(2_000)
      .refine((value) => isAddress(value, schemes), `must be an address such as ${example}`)
      .optional()
      .meta({ secret: true, title: 'Address in one line' })
      .describe(`${example}; or fill in the fields below`),
    host: text
      .optional()
      .meta({ examples: ['db.example.com'] })
      .describe('Host name or address of the server'),
    port: z.int().min(1).max(65_535).default(port).describe('Port of the server'),
    database: text
      .optional()
      .meta({ examples: ['erp'] })
      .describe('Name of the database'),
    user: text
      .optional()
      .meta({ examples: ['drawbridge'] })
      .describe('User to read as; it needs no more than SELECT'),
    password: password.describe('Password of that user'),
    tls: z
      .enum(['off', 'unverified', 'verify'])
      .default('off')
      .meta({ title: 'Encryption (TLS)' })
      .describe(
        'verify: TLS with a trusted certificate of this host; unverified: TLS with any; off: none',
      ),
    tlsCa: z
      .string()
      .max(100_000)
      .refine(isPem, 'must be certificates in PEM, as in the file of your CA')
      .optional()
      .meta({ title: 'Trusted certificates (PEM)', advanced: true })
      .describe('With verify: PEM of the CAs to trust in place of the public ones'),
    sections,
    changes,
    writeBack: writeBackSettings({
      user: text.optional().describe('User to write as; the reading user when left out'),
      password: password.describe('Password of the writing user'),
    })
      .default({ mode: 'side-table' })
      .meta(writeBackMeta),
    drafts: draftTarget,
  };
}

/** Whether the settings say which database to open, and as whom. */
export function hasAddress(
  settings: Partial<Record<'url' | 'host' | 'database' | 'user', string | undefined>>,
): boolean {
  const { url, host, database, user } = settings;
  return url !== undefined || Boolean(host && database && user);
}

/** What is said where `hasAddress` fails. */
export const addressMissing = {
  message: 'Give either url (the address in one line), or host, database and user',
  path: ['url'],
};

/** The settings of a kind that is a server. */
export function serverSettings(schemes: readonly [string, ...string[]], port: number) {
  return z
    .strictObject(serverFields(schemes, port))
    .refine(hasAddress, addressMissing)
    .refine(({ tls, tlsCa }) => tlsCa === undefined || tls === 'verify', {
      message: 'is used with "tls": "verify" alone',
      path: ['tlsCa'],
    });
}
export type ServerSettings = z.infer<ReturnType<typeof serverSettings>>;

/**
 * An address with a host and a database and no options after a `?`: options would be ignored, and
 * an administrator who asks for TLS there would get none.
 */
function isAddress(value: string, schemes: readonly string[]): boolean {
  const url = URL.parse(value);
  if (url === null || url.hostname === '' || url.search !== '') return false;
  if (url.pathname.length < 2 || !schemes.includes(url.protocol.slice(0, -1))) return false;
  return [url.username, url.password, url.pathname].every((part) => decoded(part) !== undefined);
}

function isPem(text: string): boolean {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    return blocks.map((block) => new X509Certificate(block)).length > 0;
  } catch {
    // Something else between the lines; the settings refuse it.
    return false;
  }
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    // A percent sign that encodes nothing; the settings refuse it.
    return undefined;
  }
}

/** The server with the credentials to read with, and with those to write with. */
export function serversOf(settings: ServerSettings): { reader: SqlServer; writer: SqlServer } {
  const reader = readerOf(settings);
  const { writeBack } = settings;
  const isOther = writeBack.mode !== 'none' && writeBack.user !== undefined;
  const writer = isOther
    ? { ...reader, user: writeBack.user ?? '', password: writeBack.password ?? '' }
    : reader;
  return { reader, writer };
}

/** The server that the settings name. */
export function placesOf(settings: ServerSettings): readonly NamedPlace[] {
  const member = settings.url === undefined ? 'host' : 'url';
  return [{ kind: 'host', member, host: readerOf(settings).host }];
}

/** Who reads and who writes; `schema` is where tables are that are named without one. */
export function usersOf(settings: ServerSettings, schema: string | undefined): Users {
  const { reader, writer } = serversOf(settings);
  return { reader: reader.user, writer: writer.user, database: reader.database, schema };
}

/** Parses the address here: a driver's own parser would also obey options in it. */
function readerOf(settings: ServerSettings): SqlServer {
  const { host = '', port, database = '', user = '', password = '', tls, tlsCa } = settings;
  const url = settings.url === undefined ? null : URL.parse(settings.url);
  if (url === null) return { host, port, database, user, password, tls, tlsCa };
  return {
    host: (decoded(url.hostname) ?? '').replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? port : Number(url.port),
    database: decoded(url.pathname.slice(1)) ?? '',
    user: decoded(url.username) ?? '',
    password: decoded(url.password) ?? '',
    tls,
    tlsCa,
  };
}

/** The TLS options that Node's drivers take; undefined for none. */
export function tlsOptions({
  tls,
  tlsCa,
}: SqlServer): { rejectUnauthorized: boolean; ca?: string } | undefined {
  if (tls === 'off') return undefined;
  return { rejectUnauthorized: tls === 'verify', ...(tlsCa === undefined ? {} : { ca: tlsCa }) };
}

/** The name of a server's database for people, without credentials. */
export function serverName(title: string, { host, port, database }: SqlServer): string {
  return `${title} at ${host}:${port}/${database}`;
}
