import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlAt, startDb, type TestDb } from '../../test/kit/postgres.ts';
import { pruneCommands, pruneEvents } from './store.ts';

const tenant = randomUUID();
const before = new Date('2026-02-01T00:00:00Z');
let kit: TestDb;
beforeAll(async () => {
  kit = await startDb();
  await sqlAt(kit.url, "insert into tenant (id, name) values ($1, 'Acme')", [tenant]);
  await sqlAt(
    kit.url,
    `insert into agent (tenant_id, id, hostname, public_key, software, seen_at)
     values ($1, 'linked', 'a', repeat('a', 44), '1', '2026-02-10'),
       ($1, 'away', 'b', repeat('b', 44), '1', '2026-01-01')`,
    [tenant],
  );
});
afterAll(() => kit.stop());

test('events go when they are old and cannot come again', async () => {
  await sqlAt(
    kit.url,
    `insert into agent_event (tenant_id, agent_id, id, topic, body, received_at)
     values ($1, 'linked', 'old', 't', '{}', '2026-01-01'), ($1, 'linked', 'new', 't', '{}', '2026-02-02'),
       ($1, 'away', 'unconfirmed', 't', '{}', '2026-01-01')`,
    [tenant],
  );
  expect(await kit.db.system((tx) => pruneEvents(tx, before, 10))).toBe(1);
  const left = await sqlAt(kit.url, 'select id from agent_event order by id');
  expect(left).toEqual([{ id: 'new' }, { id: 'unconfirmed' }]);
});

test('finished commands go, unless their write-back is still to be done', async () => {
  await sqlAt(
    kit.url,
    `insert into agent_command
       (tenant_id, id, agent_id, connector, idempotency_key, params, outcome, created_at, done_at)
     select $1, key, 'linked', 'erp', key, '{}', outcome::jsonb, '2026-01-01', done_at::timestamptz
     from (values ('done', '{}', '2026-01-01'), ('late', '{}', '2026-02-02'),
       ('waiting', null, null), ('needed', '{}', '2026-01-01')) as c (key, outcome, done_at)`,
    [tenant],
  );
  await sqlAt(
    kit.url,
    `insert into job (tenant_id, queue, key, payload, run_at)
     values ($1, 'write-back', 'needed', '{}', 'infinity')`,
    [tenant],
  );
  expect(await kit.db.system((tx) => pruneCommands(tx, before, 10))).toBe(1);
  const left = await sqlAt(kit.url, 'select id from agent_command order by id');
  expect(left).toEqual([{ id: 'late' }, { id: 'needed' }, { id: 'waiting' }]);
});
