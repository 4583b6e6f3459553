import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlAt, startDb, type TestDb } from '../../../test/kit/postgres.ts';
import { type Db, openDb } from './database.ts';
import { faultOf } from './errors.ts';
import { insertMany } from './insert.ts';
import type { Tx } from './tx.ts';

let kit: TestDb;
const [a, b] = [randomUUID(), randomUUID()];

beforeAll(async () => {
  kit = await startDb({ poolMax: 4 });
  await sqlAt(
    kit.url,
    `create table note (id text primary key, tenant_id uuid not null, body jsonb, at timestamptz,
       day date, size numeric, seen bigint);
     call isolate('note');
     grant select, insert, update, delete on note to ${new URL(kit.appUrl).username}`,
  );
  await kit.db.tenant(a, (tx) => addNote(tx, 'of-a', a));
});
afterAll(() => kit.stop());

const addNote = (tx: Tx, id: string, tenantId: string) =>
  tx.run('insert into note (id, tenant_id) values ($1, $2)', [id, tenantId]);
const countNotes = (tx: Tx) => tx.row<{ count: number }>('select count(*) from note');

test('every table with a tenant_id has row-level security, forced, and a policy', async () => {
  const rows = await sqlAt<{ relname: string; held: boolean }>(
    kit.url,
    `select relname, relrowsecurity and relforcerowsecurity
       and exists (select from pg_policy where polrelid = c.oid and polname = 'own_tenant') as held
     from pg_class c join pg_namespace n on n.oid = relnamespace
     where nspname = 'public' and relkind in ('r', 'p') and (relname = 'tenant' or exists
       (select from pg_attribute where attrelid = c.oid and attname = 'tenant_id'))`,
  );
  expect(rows.map(({ relname }) => relname)).toContain('note');
  expect(rows.filter(({ held }) => !held)).toEqual([]);
});

test('SECURITY DEFINER functions fix their search path', async () => {
  const rows = await sqlAt(
    kit.url,
    `select proname from pg_proc join pg_namespace n on n.oid = pronamespace
     where nspname = 'public' and prosecdef
       and not coalesce(array_to_string(proconfig, ',') like '%search_path=%', false)`,
  );
  expect(rows).toEqual([]);
});

test('a tenant cannot see, change or add rows of another', async () => {
  expect(await kit.db.tenant(a, countNotes)).toEqual({ count: 1 });
  expect(await kit.db.tenant(b, countNotes)).toEqual({ count: 0 });
  expect(await kit.db.tenant(b, (tx) => tx.run('delete from note'))).toBe(0);
  expect(await kit.db.tenant(b, (tx) => tx.run(`update note set body = '{}'`))).toBe(0);
  await expect(kit.db.tenant(b, (tx) => addNote(tx, 'planted', a))).rejects.toThrow(/row-level/);
  await expect(
    kit.db.tenant(a, (tx) => tx.run('update note set tenant_id = $1', [b])),
  ).rejects.toThrow(/row-level/);
});

test('without a tenant nothing is visible, and a pooled connection keeps no tenant', async () => {
  const narrow = await openDb({ url: kit.appUrl, poolMax: 1 });
  try {
    expect(await narrow.tenant(a, countNotes)).toEqual({ count: 1 });
    expect(await narrow.system(countNotes)).toEqual({ count: 0 });
  } finally {
    await narrow.close();
  }
});

test('a tenant whose statements take long leaves connections to the others', async () => {
  const gate = Promise.withResolvers<void>();
  const slow = Array.from({ length: 5 }, () => kit.db.tenant(a, () => gate.promise));
  try {
    expect(await kit.db.tenant(b, countNotes)).toEqual({ count: 0 });
    expect(kit.db.connections()).toMatchObject({ inUse: 2, waiting: 3 });
  } finally {
    gate.resolve();
  }
  await Promise.all(slow);
  expect(kit.db.connections().waiting).toBe(0);
});

test('however many tenants have slow statements, work without a tenant goes on', async () => {
  const db = await openDb({ url: kit.appUrl, poolMax: 8 });
  const gate = Promise.withResolvers<void>();
  const slow = Array.from({ length: 9 }, () => db.tenant(randomUUID(), () => gate.promise));
  try {
    await db.ping();
    expect(db.connections()).toMatchObject({ inUse: 7, waiting: 2 });
  } finally {
    gate.resolve();
  }
  await Promise.all(slow);
  await db.close();
});

test('two tenants whose statements take long leave a connection to a third', async () => {
  const db = await openDb({ url: kit.appUrl, poolMax: 8 });
  const gate = Promise.withResolvers<void>();
  const slow = [a, b].flatMap((tenantId) =>
    Array.from({ length: 10 }, () => db.tenant(tenantId, () => gate.promise)),
  );
  try {
    expect(await db.tenant(randomUUID(), countNotes)).toEqual({ count: 0 });
    expect(await db.system(countNotes)).toEqual({ count: 0 });
    expect(db.connections()).toMatchObject({ inUse: 6, waiting: 14 });
  } finally {
    gate.resolve();
  }
  await Promise.all(slow);
  await db.close();
});

test('a tenant id that is not a UUID never reaches the database', async () => {
  const work = async () => expect.fail('must not run');
  await expect(kit.db.tenant(`${a}'; select '`, work)).rejects.toThrow('UUID');
});

test('a role that owns tables is refused', async () => {
  await expect(openDb({ url: kit.url })).rejects.toThrow('row-level');
});

test('the application can neither change the schema nor read what was migrated', async () => {
  await expect(kit.db.system((tx) => tx.run('create table x ()'))).rejects.toThrow('permission');
  await expect(kit.db.system((tx) => tx.rows('table migration'))).rejects.toThrow('permission');
});

test('a throw rolls back, and effects of `afterCommit` do not happen', async () => {
  const effects: string[] = [];
  const failing = kit.db.tenant(a, async (tx) => {
    await addNote(tx, 'lost', a);
    tx.afterCommit(() => effects.push('lost'));
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  await kit.db.tenant(a, async (tx) => tx.afterCommit(() => effects.push('kept')));
  expect(await kit.db.tenant(a, countNotes)).toEqual({ count: 1 });
  expect(effects).toEqual(['kept']);
});

test('a failed statement that is ignored still fails the transaction', async () => {
  const work = kit.db.tenant(a, async (tx) => {
    await addNote(tx, 'of-a', a).catch(() => {});
  });
  await expect(work).rejects.toThrow('rolled back');
});

test('of statements sent together the one that failed is told, whichever is seen first', async () => {
  await kit.db.tenant(a, (tx) => addNote(tx, 'together', a));
  const work = kit.db.tenant(a, (tx) =>
    Promise.all([
      addNote(tx, 'together', a).then(
        (count) => count,
        async (error) => {
          await new Promise((seen) => setImmediate(seen));
          throw error;
        },
      ),
      tx.run('select 1'),
    ]),
  );
  expect(faultOf(await work.catch((error) => error))).toMatchObject({ code: 'duplicate' });
});

test('a row that refers to one which is gone may be tried again; one that others refer to is a defect', async () => {
  await sqlAt(
    kit.url,
    `create table page (id text primary key); create table line (page text references page);
     insert into page values ('kept'); insert into line values ('kept')`,
  );
  const faultOfSql = async (sql: string) =>
    faultOf(await sqlAt(kit.url, sql).catch((error: unknown) => error));
  expect(await faultOfSql(`insert into line values ('gone')`)).toEqual({
    code: 'conflict',
    retry: 'later',
  });
  expect(await faultOfSql(`update line set page = 'gone'`)).toMatchObject({ code: 'conflict' });
  expect(await faultOfSql('delete from page')).toMatchObject({ code: 'defect' });
});

test('many rows are inserted with one statement, and keep their types', async () => {
  const at = new Date('2026-02-03T04:05:06.789Z');
  const rows = [
    {
      id: 'm1',
      tenant_id: b,
      body: { text: 'a "b" \\ {,}' },
      at,
      day: '2026-02-03',
      size: '1.10',
      seen: 7,
    },
    { id: 'm2', tenant_id: b, body: ['x', null], at: null, day: null, size: null, seen: null },
    { id: 'm3', tenant_id: b, body: undefined, at: null, day: null, size: null, seen: null },
  ];
  const types = {
    id: 'text',
    tenant_id: 'uuid',
    body: 'jsonb',
    at: 'timestamptz',
    day: 'date',
    size: 'numeric',
    seen: 'bigint',
  };
  const suffix = 'on conflict (id) do nothing returning id';
  const insert = (tx: Tx) =>
    insertMany<(typeof rows)[number], { id: string }>(tx, 'note', types, rows, suffix);
  expect(await kit.db.tenant(b, insert)).toHaveLength(3);
  expect(await kit.db.tenant(b, insert)).toHaveLength(0);
  const back = await kit.db.tenant(b, (tx) => tx.rows('select * from note order by id'));
  expect(back).toEqual([rows[0], rows[1], { ...rows[2], body: null }]);
});

test('database errors say whether trying again can help', async () => {
  const twice = kit.db.tenant(a, (tx) => addNote(tx, 'of-a', a)).catch(faultOf);
  expect(await twice).toEqual({ code: 'duplicate', retry: 'never', constraint: 'note_pkey' });
  expect(faultOf({ code: '40P01' })).toMatchObject({ code: 'conflict', retry: 'later' });
  expect(faultOf({ code: '53100' })).toMatchObject({ code: 'unavailable', retry: 'later' }); // disk full
  expect(faultOf({ code: 'ECONNREFUSED' })).toMatchObject({ code: 'unavailable', retry: 'later' });
  expect(faultOf(new TypeError('x'))).toMatchObject({ code: 'defect', retry: 'never' });
});

test('a lost connection fails its transaction and nothing else', async () => {
  const db = await openDb({ url: kit.appUrl, poolMax: 2 });
  const lost = db.system(async (tx) => {
    await tx.rows('select pg_terminate_backend(pg_backend_pid())').catch(() => {});
    // The socket ends while the transaction waits for something else.
    for (let turn = 0; turn < 20; turn += 1) await db.ping();
  });
  await expect(lost).rejects.toThrow();
  await db.ping();
  await db.close();
});

test('a notification is received, also after the connection was lost', async () => {
  const heard: string[] = [];
  let wake = () => {};
  const until = async (payload: string) => {
    while (!heard.includes(payload)) await new Promise<void>((done) => (wake = done));
  };
  const db = await openDb({ url: kit.appUrl, poolMax: 1 });
  try {
    await db.listen('test_channel', (payload) => {
      heard.push(payload);
      wake();
    });
    const notify = (payload: string) =>
      db.system((tx) => tx.rows(`select pg_notify('test_channel', $1)`, [payload]));
    await notify('one');
    await until('one');
    heard.length = 0;
    await sqlAt(
      kit.appUrl,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'drawbridge listen' and datname = current_database()`,
    );
    await until(''); // the reconnect
    await notify('two');
    await until('two');
  } finally {
    await db.close();
  }
});

test('all who listen are notified once of what has committed, and here at once', async () => {
  const nodes = [await openDb({ url: kit.appUrl }), await openDb({ url: kit.appUrl })] as const;
  const [here, there] = nodes;
  const [own, others] = [await hearing(here), await hearing(there)];
  try {
    const lost = here.tenant(a, async (tx) => {
      tx.notify('test_hint', 'lost');
      throw new Error('no');
    });
    await expect(lost).rejects.toThrow('no');
    await here.system(async (tx) => {
      for (const payload of ['one', 'two', 'two']) tx.notify('test_hint', payload);
    });
    expect(own.heard).toEqual(['one', 'two', 'two']);
    await others.until('two');
    // What a statement notifies by itself is heard where it was sent too, and after all that was before.
    await here.system((tx) => tx.rows(`select pg_notify('test_hint', 'end')`));
    await Promise.all([own.until('end'), others.until('end')]);
    expect(own.heard).toEqual(['one', 'two', 'two', 'end']);
    expect(others.heard).toEqual(['one', 'two', 'end']);
    await here.system(async (tx) => tx.notify('test_hint', 'closing'));
    await here.close();
    await others.until('closing');
  } finally {
    await Promise.all(nodes.map((db) => db.close().catch(() => {})));
  }
});

/** What is heard of `test_hint`, after the first call that follows listening. */
async function hearing(db: Db) {
  const heard: string[] = [];
  const waiting = new Map<string, () => void>();
  await db.listen('test_hint', (payload) => {
    if (payload !== '') heard.push(payload);
    waiting.get(payload)?.();
  });
  const until = (payload: string) =>
    new Promise<void>((resolve) => {
      waiting.set(payload, resolve);
      if (heard.includes(payload)) resolve();
    });
  return { heard, until };
}
