/** Logins and sessions, on the test server alone: a real one would not fail on request. */
import { Socket } from 'node:net';
import sql from 'mssql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCertificate } from '../../test/kit/certificates.ts';
import { secretInTests } from '../contract.suite.ts';
import type { Connector } from '../contract.ts';
import { expectRightsProved, type SqlProbe } from '../sql/source.suite.ts';
import { mssql } from './connector.ts';
import { mssqlDialect } from './dialect.ts';
import { startBrowser } from './tds/browser.kit.ts';
import { domainLogin } from './tds/ntlm.kit.ts';
import { startTdsServer, type TdsServer, testLogin } from './tds/server.kit.ts';

const never = new AbortController().signal;
const context = { clock: () => new Date('2026-02-01T00:00:00Z'), allowedRoots: [] };
const sections = { header: { table: 'doc', key: 'k', match: 'k' } };

let server: TdsServer;
let secure: TdsServer;

beforeAll(async () => {
  server = await startTdsServer();
  const session = await server.store.session(undefined);
  await session.close();
  await server.store.execute(
    `SET search_path = dbo; CREATE TABLE doc (k text); INSERT INTO doc VALUES ('a')`,
  );
  secure = await startTdsServer({ tls: createCertificate({ name: 'localhost' }) });
});

afterAll(async () => {
  await server?.stop();
  await secure?.stop();
});

async function withConnector<T>(
  settings: object,
  work: (connector: Awaited<ReturnType<typeof mssql.open>>) => Promise<T>,
  { port } = server,
): Promise<T> {
  const { user, password } = testLogin;
  const given = { host: '127.0.0.1', port, database: 'erp', user, password, sections, ...settings };
  const connector = await mssql.open(mssql.settings.parse(given), context);
  try {
    return await work(connector);
  } finally {
    await connector.close();
  }
}

describe('a login', () => {
  test('a wrong password is named as the fault, and not shown', async () => {
    const outcome = await withConnector({ password: secretInTests }, (one) => one.test(never));
    expect(outcome).toMatchObject({
      kind: 'failed',
      fault: { code: 'access_denied', retry: 'never' },
    });
    expect(JSON.stringify(outcome)).not.toContain(secretInTests);
  });

  test.each([
    [4060, 'access_denied', 'never', 'database of that name'],
    [18470, 'access_denied', 'never', 'disabled'],
    [18487, 'access_denied', 'never', 'expired'],
    [18488, 'access_denied', 'never', 'change the password'],
    [18452, 'access_denied', 'never', 'domain'],
    [40615, 'access_denied', 'never', 'firewall'],
    [17809, 'overloaded', 'later', 'no room'],
    [18401, 'unreachable', 'later', 'upgraded'],
    [99999, 'access_denied', 'never', 'refuses the login: No.'],
  ])(
    'that the server refuses with error %i is told in words',
    async (number, code, retry, words) => {
      server.refuseLogins({ number, severity: 14, message: 'No.' });
      try {
        const outcome = await withConnector({}, (one) => one.test(never));
        expect(outcome).toMatchObject({
          kind: 'failed',
          fault: { code, retry, message: expect.stringContaining(words) },
        });
      } finally {
        server.refuseLogins(undefined);
      }
    },
  );

  test('says who it is, and that it only reads', async () => {
    const before = server.seen.length;
    await withConnector({}, (one) => one.read('a', never));
    for (const login of server.seen.slice(before)) {
      expect(login).toEqual({ appName: 'drawbridge', isReadOnly: true, isEncrypted: false });
    }
    expect(server.seen.length).toBeGreaterThan(before);
  });
});

describe('a user of a Windows domain', () => {
  const { domain, user, password } = domainLogin;

  test('logs in by NTLM, however the domain is written', async () => {
    for (const written of [domain, domain.toLowerCase()]) {
      const settings = { domain: written, user, password };
      const outcome = await withConnector(settings, (one) => one.read('a', never));
      expect(outcome).toMatchObject({ kind: 'found' });
    }
  });

  test('and is refused with another password or domain, which are not shown', async () => {
    for (const wrong of [{ password: secretInTests }, { domain: 'OTHER' }]) {
      const settings = { domain, user, password, ...wrong };
      const outcome = await withConnector(settings, (one) => one.test(never));
      expect(outcome).toMatchObject({ kind: 'failed', fault: { code: 'access_denied' } });
      expect(JSON.stringify(outcome)).not.toContain(secretInTests);
    }
  });
});

describe('a named instance', () => {
  // An address of this process alone, as the Browser has one port.
  const host = `127.1.${(process.pid >> 8) & 0xff}.${(process.pid & 0xfe) + 1}`;

  test('is found by its Browser; an unknown one is told, and where no Browser may be asked', async () => {
    const named = await startTdsServer({ host });
    const browser = await startBrowser(host, { SQLEXPRESS: 1, ERP: named.port });
    try {
      const settings = { host, port: undefined, instance: 'erp', sections: {} };
      const test = (one: Connector) => one.test(never);
      expect(await withConnector(settings, test)).toMatchObject({ kind: 'ok' });
      const unknown = await withConnector({ ...settings, instance: 'other' }, test);
      expect(unknown).toMatchObject({ fault: { code: 'instance_unknown', retry: 'later' } });
      const { user, password } = testLogin;
      const login = { database: 'erp', user, password };
      for (const place of [
        settings,
        { host: `${host}\\erp` },
        { host: `${host}\\@example.com`, port: 1_433 },
        { url: `mssql://${user}:${password}@${host}%5Cerp/erp` },
      ]) {
        const given = mssql.settings.parse({ ...login, sections: {}, ...place });
        const guarded = await mssql.open(given, { ...context, socket: () => new Socket() });
        expect([place, await test(guarded)]).toMatchObject([
          place,
          { fault: { code: 'instance_unasked' } },
        ]);
        await guarded.close();
      }
    } finally {
      await browser.close();
      await named.stop();
    }
  });
});

describe('TLS', () => {
  test('is used with any certificate when that is asked for', async () => {
    const outcome = await withConnector(
      { tls: 'unverified', sections: {} },
      (one) => one.test(never),
      secure,
    );
    expect(outcome).toMatchObject({ kind: 'ok' });
  });

  test('refuses a certificate that is not trusted, and a server that has none', async () => {
    const untrusted = await withConnector({ tls: 'verify' }, (one) => one.test(never), secure);
    expect(untrusted).toMatchObject({ fault: { message: expect.stringContaining('certificate') } });
    const without = await withConnector({ tls: 'verify' }, (one) => one.test(never));
    expect(without).toMatchObject({ fault: { code: 'tls_required', retry: 'never' } });
  });

  test('is asked for where the server wants it', async () => {
    const outcome = await withConnector({ tls: 'off' }, (one) => one.test(never), secure);
    expect(outcome).toMatchObject({ fault: { code: 'tls_required', retry: 'never' } });
  });
});

describe('sessions', () => {
  test('that the server ended are replaced', async () => {
    await withConnector({}, async (connector) => {
      expect(await connector.read('a', never)).toMatchObject({ kind: 'found' });
      server.dropConnections();
      await expect.poll(async () => (await connector.read('a', never)).kind).toBe('found');
    });
  });

  test('a database without snapshots is read all the same, and its test says what that means', async () => {
    await server.store.allowSnapshots(false);
    try {
      const outcome = await withConnector({}, (one) => one.test(never));
      expect(outcome).toMatchObject({
        kind: 'ok',
        detail: expect.stringContaining('ALTER DATABASE [erp] SET ALLOW_SNAPSHOT_ISOLATION ON'),
      });
    } finally {
      await server.store.allowSnapshots(true);
    }
    expect(JSON.stringify(await withConnector({}, (one) => one.test(never)))).not.toContain(
      'ALTER',
    );
  });
});

test('what a writer lacks is told before anything is written', async () => {
  const { user, password } = testLogin;
  const config = { server: '127.0.0.1', port: server.port, user, password, database: 'erp' };
  const pool = await new sql.ConnectionPool({ ...config, options: { encrypt: false } }).connect();
  const role = `proved_${server.port}`;
  await server.addLogin(role, password);
  const opened: Connector[] = [];
  try {
    const probe: SqlProbe = {
      dialect: mssqlDialect,
      async execute(text) {
        await pool.request().query(text);
      },
      async rows(text) {
        return (await pool.request().query(text)).recordset;
      },
    };
    const open = async (settings: object) => {
      const login = { host: '127.0.0.1', port: server.port, database: 'erp', user: role, password };
      const connector = await mssql.open(mssql.settings.parse({ ...login, ...settings }), context);
      opened.push(connector);
      return connector;
    };
    await expectRightsProved(probe, open, `[${role}]`);
  } finally {
    for (const connector of opened) await connector.close();
    await pool.close();
  }
});

test('the script of the least rights names every table, and nothing else', () => {
  const settings = mssql.settings.parse({
    host: 'h',
    database: 'erp',
    user: 'reader',
    sections: {
      header: { table: 'sales.invoice', key: 'id', match: 'number' },
      lines: { query: 'SELECT n FROM line WHERE k = :ref', key: 'n' },
    },
    writeBack: { mode: 'columns', columns: { invoice_id: 'einv_id' }, user: 'wri]ter' },
    drafts: { mode: 'none' },
  });
  const script = mssql.grants?.(settings) ?? '';
  expect(script.split('\n').filter((line) => /^(GRANT|IF)/.test(line))).toEqual([
    'GRANT SELECT ON [sales].[invoice] TO [reader];',
    expect.stringMatching(/^IF OBJECT_ID\(N'\[einv_status_sandbox\]', N'U'\) IS NULL CREATE TABLE/),
    'GRANT SELECT, INSERT, UPDATE ON [einv_status_sandbox] TO [wri]]ter];',
    'GRANT SELECT, UPDATE ([einv_id]) ON [sales].[invoice] TO [wri]]ter];',
  ]);
  expect(script).toContain('-- Section lines is a query');
});
