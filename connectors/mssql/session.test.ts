/** Logins and sessions, on the test server alone: a real one would not fail on request. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCertificate } from '../../test/kit/certificates.ts';
import { secretInTests } from '../contract.suite.ts';
import { mssql } from './connector.ts';
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
    await withConnector({}, (one) => one.test(never));
    expect(server.seen.at(-1)).toEqual({
      appName: 'drawbridge',
      isReadOnly: true,
      isEncrypted: false,
    });
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
