import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlAt } from '../../../../test/kit/postgres.ts';
import { type ServiceKit, startService } from '../../service.kit.ts';
import { prunePreviews } from './preview-store.ts';

let kit: ServiceKit;

beforeAll(async () => {
  kit = await startService();
});
afterAll(() => kit.stop());

const csv = { 'content-type': 'text/csv' };
const path = '/contacts/bulk-import/';
const upload = (text: string | FormData, query = '', headers = {}) =>
  kit.send(`${path}preview/${query}`, text, typeof text === 'string' ? { ...csv, ...headers } : {});
const choose = (id: string, body: object) => kit.ask(`PATCH ${path}${id}/preview/`, { body });
const start = (id: string) => kit.ask(`POST ${path}${id}/start/`);
const contactOf = async (phone: string) =>
  (await kit.ask(`GET /contacts/?phone=${encodeURIComponent(phone)}`)).body.results[0];

async function done(id: string) {
  await expect.poll(async () => (await kit.ask(`GET ${path}${id}/`)).body.state).toBe('done');
  return (await kit.ask(`GET ${path}${id}/`)).body;
}

test('a name of the file that the database cannot hold is kept without what it cannot', async () => {
  const form = [
    '--B',
    'content-disposition: form-data; name="file"; filename*=utf-8\'\'a%00b.csv',
    '',
    'phone',
    '+971501100099',
    '--B--',
    '',
  ].join('\r\n');
  const headers = { 'content-type': 'multipart/form-data; boundary=B' };
  const { status, body } = await kit.send(`${path}preview/`, form, headers);
  expect([status, body.filename]).toEqual([201, 'a\ufffdb.csv']);
});

test('a preview shows how the file is read, its first rows, and what is wrong with how many', async () => {
  const rows = Array.from({ length: 30 }, (_, n) => `+9715011000${n + 10};Person ${n};${n}`);
  const form = new FormData();
  const text = ['Mobile;Name;city', ...rows, '12;Short;x', '13;Short;x'].join('\n');
  form.append('file', new Blob([text]), 'Kunden.csv');
  const { status, body, headers } = await upload(form, '?segment=New');
  expect(status).toBe(201);
  expect(headers.get('location')).toBe(`${path}${body.id}/preview/`);
  expect(body).toMatchObject({
    filename: 'Kunden.csv',
    bytes: text.length,
    segment: 'New',
    reading: {
      format: 'csv',
      encoding: 'utf-8',
      separator: ';',
      header_row: 1,
      columns: [
        { column: 1, name: 'Mobile', field: 'phone', attribute: null },
        { column: 2, name: 'Name', field: 'name', attribute: null },
        { column: 3, name: 'city', field: 'attribute', attribute: 'city' },
      ],
    },
    counts: { rows: 32, usable: 30, problems: 2 },
    problems: [{ field: 'phone', rows: 2, first_line: 32 }],
    notes: [],
  });
  expect(body.rows).toHaveLength(20);
  expect(body.rows[0]).toEqual({ line: 2, cells: rows[0]!.split(';'), problems: [] });
  expect(body.samples[1]).toEqual(['Person 0', 'Person 1', 'Person 2']);
  expect((await kit.ask(`GET ${path}${body.id}/preview/`)).body).toEqual(body);
  expect(await contactOf('+971501100010')).toBeUndefined();
});

test('what was guessed can be chosen, and the import does what the preview has shown', async () => {
  const bytes = Buffer.from(
    '+971501110001,\xe3\xcd\xe3\xcf,7,drop\n0501110002,B,8,drop\n',
    'latin1',
  );
  const form = new FormData();
  form.append('file', new Blob([Uint8Array.from(bytes)]), 'a.csv');
  const { body } = await upload(form);
  expect(body.reading).toMatchObject({ header_row: 0, encoding_certain: false });
  expect(body.notes.join(' ')).toContain('choose its encoding');
  expect((await start(body.id)).body.errors).toHaveProperty('encoding');
  const chosen = {
    encoding: 'windows-1256',
    default_country: 'AE',
    columns: [
      { column: 2, field: 'name' },
      { column: 3, field: 'attribute', attribute: 'tier' },
      { column: 4, field: 'ignored' },
    ],
  };
  const patched = await choose(body.id, chosen);
  expect(patched.status).toBe(200);
  expect(patched.body.counts).toEqual({ rows: 2, usable: 2, problems: 0 });
  // What is left out stays, and null is a guess again.
  const again = await choose(body.id, { default_country: null });
  expect(again.body).toMatchObject({
    default_country: null,
    counts: { problems: 1 },
    reading: { encoding: 'windows-1256', columns: [{ field: 'phone' }, { field: 'name' }, {}, {}] },
  });
  expect((await start(body.id)).status).toBe(202);
  expect(await done(body.id)).toMatchObject({ rows: 2, created: 1, failed: 1 });
  expect(await contactOf('+971501110001')).toMatchObject({
    name: 'محمد',
    attributes: { tier: '7' },
  });
  const parts = `select from contact_import_file where import_id = '${body.id}'`;
  expect(await sqlAt(kit.ownerUrl, parts)).toEqual([]);
});

test('without a phone it cannot be started; what was started cannot be changed or started twice', async () => {
  const { body } = await upload('a,b\n971501120001,x\n971501120002,y\n'.replaceAll('97150', 'x'));
  expect(body.notes.join(' ')).toContain('No column holds the phone');
  expect((await start(body.id)).body.errors).toHaveProperty('columns');
  const { body: good } = await upload('phone\n+971501120001\n');
  const [first, second] = await Promise.all([start(good.id), start(good.id)]);
  expect([first.status, second.status]).toEqual([202, 202]);
  expect(await done(good.id)).toMatchObject({ rows: 1, created: 1 });
  expect((await start(good.id)).body).toMatchObject({ state: 'done', rows: 1 });
  expect((await choose(good.id, { separator: ';' })).status).toBe(404);
  expect((await kit.ask(`DELETE ${path}${good.id}/preview/`)).status).toBe(404);
});

test.each([
  [
    {
      columns: [
        { column: 1, field: 'phone' },
        { column: 1, field: 'name' },
      ],
    },
  ],
  [
    {
      columns: [
        { column: 1, field: 'phone' },
        { column: 2, field: 'phone' },
      ],
    },
  ],
  [{ columns: [{ column: 1, field: 'name', attribute: 'x' }] }],
  [{ encoding: 'ebcdic' }],
  [{ header_row: 1_000 }],
  [{ default_country: 'XX' }],
])('a choice that makes no sense is 400: %j', async (choice) => {
  const { body } = await upload('phone\n+971501130001\n');
  expect((await choose(body.id, choice)).status).toBe(400);
});

test.each([
  ['a;b', true],
  ['"a, b"', true],
  ['a | b', false],
])('segments are separated by | alone, and a note says so beside %s', async (cell, isNoted) => {
  const { body } = await upload(`phone,segments\n+971501150001,${cell}\n`);
  expect(body.notes.join(' ').includes('separated by | alone')).toBe(isNoted);
});

test('the same key gives the same preview; another file under it is 409', async () => {
  const headers = { 'idempotency-key': 'preview-1' };
  const first = await upload('phone\n+971501140001\n', '', headers);
  const again = await upload('phone\n+971501140001\n', '', headers);
  expect([again.status, again.body.id]).toEqual([201, first.body.id]);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect((await upload('phone\n+971501140002\n', '', headers)).status).toBe(409);
});

test('only so many wait; a deleted one makes room, and those of yesterday go by themselves', async () => {
  const { db } = kit.app.platform;
  await db.system((tx) => prunePreviews(tx, new Date(Date.now() + 1_000), 1_000));
  const ids: string[] = [];
  for (let n = 0; n < 20; n += 1) {
    ids.push((await upload('phone\n+971501150001\n')).body.id);
  }
  const refused = await upload('phone\n+971501150001\n');
  expect([refused.status, refused.body.code]).toEqual([409, 'too_many_previews']);
  expect((await kit.ask(`DELETE ${path}${ids[0]}/preview/`)).status).toBe(204);
  expect((await kit.ask(`GET ${path}${ids[0]}/preview/`)).status).toBe(404);
  expect((await upload('phone\n+971501150001\n')).status).toBe(201);
  await db.system((tx) => prunePreviews(tx, new Date(Date.now() + 1_000), 1_000));
  expect(await sqlAt(kit.ownerUrl, `select from contact_import where state = 'preview'`)).toEqual(
    [],
  );
  expect(await sqlAt(kit.ownerUrl, 'select from contact_import_file')).toEqual([]);
});

test('a stranger sees no preview, and cannot start it', async () => {
  const { body } = await upload('phone\n+971501160001\n');
  const as = await kit.keyOf('owner', kit.strangerId);
  for (const line of [`GET ${path}${body.id}/preview/`, `POST ${path}${body.id}/start/`]) {
    expect((await kit.ask(line, { as })).status).toBe(404);
  }
});

test('rows that an attempt stored before it was lost are not counted twice', async () => {
  const phones = Array.from({ length: 2_000 }, (_, n) => `+97150117${String(n).padStart(4, '0')}`);
  const { body } = await upload(`phone\n${phones.join('\n')}\n`);
  // As an attempt leaves it that ended after its first piece.
  await sqlAt(
    kit.ownerUrl,
    `update contact_import set claim_id = gen_random_uuid(), rows = 800, failed = 1 where id = '${body.id}'`,
  );
  await sqlAt(
    kit.ownerUrl,
    `insert into contact_import_piece select tenant_id, id, 0, 900, 1, 1, '[]',
       '[{"phone":"+971501179999","attributes":{},"segments":[],"lines":[2]}]'
     from contact_import where id = '${body.id}'`,
  );
  await start(body.id);
  expect(await done(body.id)).toMatchObject({ rows: 2_000, created: 2_000, updated: 0, failed: 0 });
});
