import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startControlPlane } from '../../../test/kit/control-plane-process.ts';
import { eventually } from '../../../test/kit/eventually.ts';
import {
  pgbouncerUnavailable,
  startPgbouncer,
  type TestPgbouncer,
} from '../../../test/kit/pgbouncer.ts';
import {
  migrationsFolder,
  sqlAt,
  startPostgres,
  type TestPostgres,
} from '../../../test/kit/postgres.ts';
import { type AppRole, appRoleOf } from './app-role.ts';
import { openDb } from './database.ts';
import { migrate } from './migrate.ts';

/** Everything through PgBouncer in transaction mode, with four sessions for all clients. */
const unavailable = pgbouncerUnavailable();
let postgres: TestPostgres;
let pooler: TestPgbouncer;
let role: AppRole;

beforeAll(async () => {
  if (unavailable !== undefined) return;
  postgres = await startPostgres();
  pooler = await startPgbouncer([postgres.url, appRoleOf(postgres.url).url]);
  const poolerUrl = pooler.urlOf(postgres.url);
  ({ role } = await migrate({ url: postgres.url, poolerUrl, folder: migrationsFolder }));
});
afterAll(async () => {
  await pooler?.stop();
  await postgres?.stop();
});
beforeEach((context) => context.skip(unavailable !== undefined, unavailable));

const open = () => openDb({ url: role.url, directUrl: role.directUrl, poolMax: 20 });

test('many transactions at once keep apart, and no statement is prepared', async () => {
  const db = await open();
  try {
    const tenants = Array.from({ length: 200 }, () => randomUUID());
    const seen = await Promise.all(
      tenants.map((tenant) =>
        db.tenant(tenant, async (tx) => {
          await tx.run('select $1::text', [tenant]);
          return tx.row<{ tenant: string }>('select current_tenant()::text as tenant');
        }),
      ),
    );
    expect(seen.map((row) => row?.tenant)).toEqual(tenants);
    const prepared = await Promise.all(
      Array.from({ length: 20 }, () => db.system((tx) => tx.rows('table pg_prepared_statements'))),
    );
    expect(prepared.flat()).toEqual([]);
  } finally {
    await db.close();
  }
});

test('time limits hold, as settings of the role', async () => {
  const db = await open();
  const limits = await db.system((tx) =>
    tx.row(
      `select current_setting('statement_timeout') as statement,
         current_setting('idle_in_transaction_session_timeout') as idle`,
    ),
  );
  await db.close();
  expect(limits).toEqual({ statement: '30s', idle: '1min' });
});

test('a notification is heard', async () => {
  const db = await open();
  const heard: string[] = [];
  try {
    await db.listen('pooler_test', (payload) => void heard.push(payload));
    await db.system((tx) => tx.rows(`select pg_notify('pooler_test', 'through')`));
    await eventually(() => expect(heard).toContain('through'));
  } finally {
    await db.close();
  }
});

test('without DATABASE_DIRECT_URL it says what to set, and leaves no lock behind', async () => {
  const url = pooler.urlOf(postgres.url);
  await expect(migrate({ url, folder: migrationsFolder })).rejects.toThrow('DATABASE_DIRECT_URL');
  await expect(openDb({ url: role.url })).rejects.toThrow('DATABASE_DIRECT_URL');
  const locks = await sqlAt(
    postgres.url,
    `select from pg_locks join pg_database d on d.oid = database
     where locktype = 'advisory' and datname = current_database()`,
  );
  expect(locks).toEqual([]);
});

test('a pooler that does not know the application’s role is told, with the setting for it', async () => {
  const strict = await startPgbouncer([postgres.url]);
  const opened = openDb({ url: strict.urlOf(role.directUrl), directUrl: role.directUrl });
  await expect(opened).rejects.toThrow(
    `the pooler does not let ${role.name} in (SASL authentication failed): make a role whose password it has, and name it in DATABASE_APP_URL`,
  );
  await strict.stop();
});

test('the product starts and works, again and again', { timeout: 120_000 }, async () => {
  const home = await mkdtemp(join(tmpdir(), 'pooler-'));
  for (const round of [1, 2]) {
    const node = await startControlPlane(home, {
      DATABASE_URL: pooler.urlOf(postgres.url),
      DATABASE_DIRECT_URL: postgres.url,
    });
    try {
      expect((await fetch(`${node.liveUrl}/readyz`)).status).toBe(200);
      const statuses = await Promise.all(
        Array.from({ length: 50 }, async (_, n) => {
          const response = await fetch(`${node.sandboxUrl}/contacts/`, {
            method: 'POST',
            headers: {
              authorization: `Bearer ${node.credentials.messaging.sandbox_key}`,
              'content-type': 'application/json',
            },
            body: JSON.stringify({ phone: `+9715011${round}${String(n).padStart(4, '0')}` }),
          });
          return response.status;
        }),
      );
      expect(new Set(statuses)).toEqual(new Set([201]));
    } finally {
      expect(await node.stop('SIGTERM')).toMatchObject({ code: 0 });
    }
    const faults = node.log.filter((line) => /"level":"(error|warn)"/.test(line));
    expect(faults).toEqual([]);
  }
  await rm(home, { recursive: true });
});
