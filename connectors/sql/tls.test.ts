import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mysqlClient from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCertificate } from '../../test/kit/certificates.ts';
import {
  installedPostgresUnavailable,
  startInstalledPostgres,
} from '../../test/kit/installed-postgres.ts';
import { mariadbUnavailable, startMariadb } from '../../test/kit/mariadb.ts';
import { sqlAt } from '../../test/kit/postgres.ts';
import { mysql } from '../mysql/connector.ts';
import { postgres } from '../postgres/connector.ts';
import { headerQuery } from './source.suite.ts';

const never = new AbortController().signal;
const authority = createCertificate({ name: 'CA of Acme', isAuthority: true });
const stranger = createCertificate({ name: 'CA of a stranger', isAuthority: true });
/** The servers' name, which the sockets of the tests lead to this machine. */
const name = 'erp.acme.example';
const server = createCertificate({ name, issuer: authority });

/** A server that takes no connection without TLS. */
interface TlsServer {
  readonly port: number;
  stop(): Promise<void>;
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'drawbridge-tls-'));
  await chmod(folder, 0o755); // servers run as another user when we are root
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function startTlsMariadb(): Promise<TlsServer> {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  await writeFile(cert, server.cert);
  await writeFile(key, server.key);
  const { url, stop } = await startMariadb({
    options: [`--ssl-cert=${cert}`, `--ssl-key=${key}`],
  });
  const admin = await mysqlClient.createConnection(url);
  await admin.query('SET GLOBAL require_secure_transport = ON');
  await admin.end();
  return { port: Number(new URL(url).port), stop };
}

async function startTlsPostgres(): Promise<TlsServer> {
  const { url, changeFile, stop } = await startInstalledPostgres(join(folder, 'postgres'));
  const admin = url('postgres', 'postgres');
  await changeFile('server.crt', () => server.cert);
  await changeFile('server.key', () => server.key);
  await changeFile('pg_hba.conf', (rules) => rules.replaceAll(/^host\b/gm, 'hostssl'));
  await sqlAt(admin, 'alter system set ssl = on');
  await sqlAt(admin, 'create database erp');
  await sqlAt(admin, 'select pg_reload_conf()');
  return { port: Number(new URL(admin).port), stop };
}

/** Leads every name to this machine, as a name server would. */
class LocalSocket extends Socket {
  override connect(...given: unknown[]): this {
    return super.connect(Number(given[0]), '127.0.0.1');
  }
}

const context = {
  clock: () => new Date('2026-02-01T00:00:00Z'),
  allowedRoots: [],
  socket: () => new LocalSocket(),
};

interface Case {
  readonly what: string;
  readonly settings: object;
  /** What is said when it is refused. */
  readonly refused?: RegExp;
}

const verify = { tls: 'verify', tlsCa: authority.cert };
const cases: readonly Case[] = [
  { what: 'of the named CA and this name is taken', settings: verify },
  {
    what: 'of another CA is refused',
    settings: { tls: 'verify', tlsCa: stranger.cert },
    refused: /not trusted|certificate/,
  },
  {
    what: 'of a CA that is nobody’s is refused without the CA',
    settings: { tls: 'verify' },
    refused: /not trusted|certificate/,
  },
  {
    what: 'of another name is refused',
    settings: { ...verify, host: 'other.acme.example' },
    refused: /another host name|altnames/,
  },
  {
    what: 'of anybody is taken unverified',
    settings: { tls: 'unverified', host: 'other.example' },
  },
  { what: 'is needed', settings: { tls: 'off' }, refused: /without TLS/ },
];

const several = `${stranger.cert}${authority.cert}`;

describe.each([
  {
    kind: mysql,
    user: 'root',
    query: 'SELECT :ref AS k',
    start: startTlsMariadb,
    unavailable: mariadbUnavailable(),
  },
  {
    kind: postgres,
    user: 'postgres',
    query: 'SELECT :ref::text AS k',
    start: startTlsPostgres,
    unavailable: installedPostgresUnavailable(),
  },
])('a certificate shown to $kind.kind', ({ kind, user, query, start, unavailable }) => {
  let port: number;
  let stop = async () => {};
  beforeAll(async () => {
    if (unavailable === undefined) ({ port, stop } = await start());
  });
  afterAll(() => stop());

  async function read(settings: object) {
    const common = { host: name, port, database: 'erp', user, ...headerQuery(query) };
    // biome-ignore lint/suspicious/noExplicitAny: settings of either kind
    const { settings: schema, open } = kind as any;
    const connector = await open(schema.parse({ ...common, ...settings }), context);
    try {
      return await connector.read('x', never);
    } finally {
      await connector.close();
    }
  }

  test.for(cases)('$what', async ({ settings, refused }, { skip }) => {
    if (unavailable !== undefined) return skip(unavailable);
    const outcome = await read(settings);
    if (refused === undefined) return expect(outcome.kind).toBe('found');
    expect(outcome).toMatchObject({ kind: 'unreachable' });
    expect(outcome.fault.message).toMatch(refused);
  });

  test('of one of several CAs is taken', async ({ skip }) => {
    if (unavailable !== undefined) return skip(unavailable);
    expect((await read({ ...verify, tlsCa: several })).kind).toBe('found');
  });
});

test.each<[string, object, RegExp]>([
  ['no certificate', { ...verify, tlsCa: 'my CA' }, /PEM/],
  ['a broken one', { ...verify, tlsCa: authority.cert.replace('MI', 'XX') }, /PEM/],
  ['a CA that is not used', { tls: 'unverified', tlsCa: authority.cert }, /verify/],
  ['an address, which the driver cannot verify', { tls: 'verify', host: '127.0.0.1' }, /host name/],
])('settings with %s are refused', (_, settings, said) => {
  const common = { host: name, database: 'erp', user: 'u', ...headerQuery('SELECT 1') };
  const parsed = mysql.settings.safeParse({ ...common, ...settings });
  expect(parsed.error?.issues.map(({ message }) => message).join()).toMatch(said);
});
