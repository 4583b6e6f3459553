import mysql from 'mysql2/promise';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mariadbUnavailable, startMariadb } from '../../../test/kit/mariadb.ts';
import { sqlAt } from '../../../test/kit/postgres.ts';
import { type Harness, startHarness } from '../harness.kit.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ CONNECTOR_ALLOW_PRIVATE: 'true' });
});
afterAll(() => harness?.stop());

const header = { table: 'sale', key: 'no', match: 'no' };

async function tested(kind: string, url: string) {
  const { body } = await harness.call('POST /v1/connectors', {
    pattern: 'database',
    kind,
    name: 'Private',
    default_profile: 'PINT-AE',
    settings: { url, sections: { header } },
  });
  const test = await harness.call(`POST /v1/connectors/${body.id}/test`);
  const mapping = await harness.call(`GET /v1/connectors/${body.id}/mapping`);
  const missing = await harness.submit("A'1", { connector_id: body.id });
  return [test.body, mapping.body.columns, missing.body.errors];
}

const asExpected = [
  { ok: true, sample_refs: ['A-1'] },
  [{ section: 'header', column: 'no', samples: ['A-1'] }],
  [{ rule: 'PINT-AE-SOURCE-NOT-FOUND' }],
];

test('where private addresses are allowed, a PostgreSQL of this machine is read', async () => {
  await sqlAt(harness.databaseUrl, 'create table sale (no varchar(20) primary key)');
  await sqlAt(harness.databaseUrl, `insert into sale values ('A-1')`);
  expect(await tested('postgres', harness.databaseUrl)).toMatchObject(asExpected);
});

test('and a MariaDB', async ({ skip }) => {
  const lacking = mariadbUnavailable();
  if (lacking !== undefined) skip(lacking);
  const server = await startMariadb();
  try {
    const connection = await mysql.createConnection(server.url);
    await connection.query('create table sale (no varchar(20) primary key)');
    await connection.query(`insert into sale values ('A-1')`);
    await connection.end();
    expect(await tested('mysql', server.url.replace('root@', 'root:@'))).toMatchObject(asExpected);
  } finally {
    await server.stop();
  }
});
