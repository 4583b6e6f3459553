import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sqlAt } from '../../../../test/kit/postgres.ts';
import { newUuid } from '../../../platform/ids.ts';
import { LeaseLost } from '../../../platform/jobs/job.ts';
import { type ServiceKit, startService } from '../../service.kit.ts';
import { importNextPiece } from './importer.ts';
import { insertImport, insertPiece } from './store.ts';

let kit: ServiceKit;

beforeAll(async () => {
  kit = await startService();
});
afterAll(() => kit.stop());

const csv = { 'content-type': 'text/csv' };
const upload = (text: string, query = '') => kit.send(`/contacts/bulk-import/${query}`, text, csv);

/** Polls until the import is done; the worker is notified at once. */
async function finished(id: string) {
  for (let asked = 0; asked < 2_000; asked += 1) {
    const { body } = await kit.ask(`GET /contacts/bulk-import/${id}/`);
    if (body.state === 'done') return body;
  }
  throw new Error('the import did not end');
}
const contactOf = async (phone: string) =>
  (await kit.ask(`GET /contacts/?phone=${encodeURIComponent(phone)}`)).body.results[0];

test('a form with a file creates contacts and changes existing ones', async () => {
  const existing = { phone: '+971501110001', name: 'Old', attributes: { a: 1, city: 'Ajman' } };
  await kit.ask('POST /contacts/', { body: { ...existing, segments: ['Kept'] } });
  const form = new FormData();
  const text = [
    '\ufeffPhone,Name,Segments,city',
    '+971 50 111 0001,,VIP,Dubai',
    '+971501110002,"Haddad, Omar",VIP | New,',
    '0501110003,Short,,Sharjah',
    '+971501110002,Omar,,Abu Dhabi',
  ].join('\r\n');
  form.append('file', new Blob([text]), 'contacts.csv');
  const query = '?default_country=AE&segment=Imported';
  const { status, body } = await kit.send(`/contacts/bulk-import/${query}`, form);
  expect([status, body.rows, body.failed]).toEqual([202, 4, 0]);
  expect(await finished(body.id)).toMatchObject({ rows: 4, created: 2, updated: 2, failed: 0 });
  expect(await contactOf('+971501110001')).toMatchObject({
    name: 'Old',
    attributes: { a: 1, city: 'Dubai' },
    segments: ['Imported', 'Kept', 'VIP'],
  });
  expect(await contactOf('+971501110002')).toMatchObject({
    name: 'Omar',
    attributes: { city: 'Abu Dhabi' },
    segments: ['Imported', 'New', 'VIP'],
  });
  expect(await contactOf('+971501110003')).toMatchObject({ attributes: { city: 'Sharjah' } });
});

test('unusable lines are left out, and can be downloaded with their reasons', async () => {
  const long = 'x'.repeat(201);
  const { body } = await upload(
    `phone,name,=note\n12,A,\n+971501120001,${long},${'y'.repeat(1_001)}\n+971501120002,C,ok\n`,
  );
  expect(await finished(body.id)).toMatchObject({ rows: 3, created: 1, failed: 2 });
  const errors = await kit.ask(`GET ${body.errors_url}`);
  expect(errors.headers.get('content-type')).toContain('text/csv');
  expect(errors.body.trim().split('\r\n')).toEqual([
    'line,field,problem',
    '2,"phone","the international form with a leading + is needed"',
    `3,"'=note","is too long"`,
    '3,"name","is too long"',
  ]);
  expect(errors.body).not.toContain('xxx');
});

test.each([
  ['an empty file', ''],
  ['no column phone', 'name\nA\n'],
  ['a column twice', 'phone,a,a\n'],
  ['a name that cannot be used', 'phone,__proto__\n'],
  ['too many columns', `phone,${Array.from({ length: 500 }, (_, n) => `c${n}`)}\n`],
  ['no line that names its columns', '+971501130001,Amal\n'],
  ['an old workbook', '\u00d0\u00cf\u0011\u00e0'],
  ['an endless line', `phone\n+971${'0'.repeat(70_000)}`],
])('%s is 400, names the file, and leaves nothing behind', async (_, text) => {
  const { status, body } = await upload(text);
  expect([status, Object.keys(body.errors)]).toEqual([400, ['file']]);
  expect(await sqlAt(kit.ownerUrl, `select from contact_import where state <> 'done'`)).toEqual([]);
});

test.each(['', 'preview/'])('a country that is none is 400: %s', async (at) => {
  for (const country of ['XX', 'ae', 'ARE']) {
    const form = new FormData();
    form.append('file', new Blob(['phone\n+971501160001\n']), 'a.csv');
    const path = `/contacts/bulk-import/${at}?default_country=${country}`;
    const { status, body } = await kit.send(path, form);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([400, ['default_country']]);
  }
});

test('another type than CSV is 415; a form without a file, or with two, is 400', async () => {
  const json = { 'content-type': 'application/json' };
  expect((await kit.send('/contacts/bulk-import/', '{}', json)).status).toBe(415);
  const form = new FormData();
  form.append('other', new Blob(['phone\n']), 'a.csv');
  expect((await kit.send('/contacts/bulk-import/', form)).status).toBe(400);
  const two = new FormData();
  for (const phone of ['+971501239001', '+971501239002']) {
    two.append('file', new Blob([`phone\n${phone}\n`]), 'a.csv');
  }
  const { status, body } = await kit.send('/contacts/bulk-import/', two);
  expect([status, body.errors]).toEqual([400, { file: [expect.stringContaining('one file')] }]);
});

test.each([
  '/contacts/bulk-import/',
  '/contacts/bulk-import/preview/',
  '/voice/api/rate-cards/import/',
  '/voice/api/rate-cards/import/preview/',
])('%s: a form whose boundary is none is 400', async (path) => {
  for (const boundary of ['boundary=', 'xboundary=B', `boundary=${'B'.repeat(300)}`]) {
    const type = { 'content-type': `multipart/form-data; ${boundary}` };
    const { status, body } = await kit.send(path, '--B\r\n\r\n--B--\r\n', type);
    expect([boundary, status, body.errors]).toEqual([
      boundary,
      400,
      { file: [expect.any(String)] },
    ]);
  }
});

test('a client that disconnects in the middle leaves nothing running', async () => {
  const { key } = (await kit.ask('POST /tenants/api-keys/', { body: { name: 'k', role: 'owner' } }))
    .body;
  const sending = request(new URL('/contacts/bulk-import/', kit.url), {
    method: 'POST',
    headers: { ...csv, authorization: `Bearer ${key}` },
  });
  sending.on('error', () => {});
  sending.write(`phone\n${'+971501140001\n'.repeat(30_000)}`);
  const open = () =>
    sqlAt<{ rows: number }>(kit.ownerUrl, 'select rows from contact_import where rows > 9999');
  while ((await open()).length === 0) await kit.ask('GET /tenants/roles/');
  sending.destroy();
  await new Promise((done) => sending.on('close', done));
  while ((await open()).length > 0) await kit.ask('GET /tenants/roles/');
  expect(await contactOf('+971501140001')).toBeUndefined();
});

test('many lines are imported in pieces, each once', async () => {
  const count = 25_000;
  const lines = Array.from({ length: count }, (_, n) => `+9715211${String(n).padStart(5, '0')},p`);
  const { body } = await upload(`phone,batch\n${lines.join('\n')}`);
  expect(await finished(body.id)).toMatchObject({ rows: count, created: count, updated: 0 });
  expect(await sqlAt(kit.ownerUrl, 'select from contact_import_piece')).toEqual([]);
  const again = await upload(`phone,batch\n${lines.join('\n')}`);
  expect(await finished(again.body.id)).toMatchObject({ created: 0, updated: count });
});

test('lines with the same phone are applied in the order of the file', async () => {
  const phone = '+971501180000';
  const others = Array.from({ length: 24_000 }, (_, n) => {
    return `+9715212${String(n * 2).padStart(5, '0')},,,other`;
  });
  const text = ['phone,name,a,b', `${phone},First,1,1`, ...others, `${phone},,2,`].join('\n');
  const { body } = await upload(text);
  expect(await finished(body.id)).toMatchObject({ created: 24_001, updated: 1 });
  expect(await contactOf(phone)).toMatchObject({ name: 'First', attributes: { a: '2', b: '1' } });
});

test('a contact that would get too many attributes is unchanged, its lines listed', async () => {
  const phone = '+971501190000';
  const columns = (first: number) => Array.from({ length: 99 }, (_, n) => `c${first + n}`);
  const file = (first: number) =>
    `phone,${columns(first)}\n${`${phone},${columns(first)}\n`.repeat(2)}`;
  for (const first of [0, 99]) {
    const { body } = await upload(file(first));
    expect(await finished(body.id)).toMatchObject({ failed: 0, rows: 2 });
  }
  const { body } = await upload(file(198));
  expect(await finished(body.id)).toMatchObject({ created: 0, updated: 0, failed: 2 });
  const errors = await kit.ask(`GET ${body.errors_url}`);
  const problem = '"phone","the contact would have more than 200 attributes"';
  expect(errors.body.trim().split('\r\n').slice(1)).toEqual([`2,${problem}`, `3,${problem}`]);
  expect(Object.keys((await contactOf(phone)).attributes)).toHaveLength(198);
});

describe('a number that another contact has as an identifier', () => {
  const create = async (body: object) => (await kit.ask('POST /contacts/', { body })).body;
  const merged = async (serial: number) => {
    const [second, phone] = [`+97150121${serial}`, `+97150122${serial}`];
    const gone = await create({ phone: second, name: 'Gone' });
    const kept = await create({ phone, name: 'Kept', attributes: { city: 'Ajman' } });
    const body = { contact_id: gone.id };
    expect((await kit.ask(`POST /contacts/${kept.id}/merge/`, { body })).status).toBe(200);
    return { id: kept.id as string, phone, second };
  };

  test('is that contact, which gains what it lacks and keeps the values of its own', async () => {
    const { id, phone, second } = await merged(1001);
    const lines = [`${second},Gone,Dubai,gold,Late`, `${phone},,,,`, '+971501231001,New,,,'];
    const { body } = await upload(['phone,name,city,tier,segments', ...lines].join('\n'));
    expect(await finished(body.id)).toMatchObject({ created: 1, updated: 2, failed: 0 });
    expect((await kit.ask(`GET /contacts/${id}/`)).body).toMatchObject({
      name: 'Kept',
      phone,
      attributes: { city: 'Ajman', tier: 'gold' },
      segments: ['Late'],
    });
    expect(await contactOf(second)).toMatchObject({ id, phone });
  });

  test('is listed with its problem where the contact would get too many attributes', async () => {
    const { second } = await merged(1002);
    const columns = Array.from({ length: 199 }, (_, n) => `c${n}`);
    const more = await upload(`phone,${columns}\n${second},${columns}\n`);
    expect(await finished(more.body.id)).toMatchObject({ created: 0, updated: 1 });
    const { body } = await upload(`phone,one more\n${second},1\n`);
    expect(await finished(body.id)).toMatchObject({ created: 0, updated: 0, failed: 1 });
    const errors = await kit.ask(`GET ${body.errors_url}`);
    expect(errors.body).toContain('2,"phone","the contact would have more than 200 attributes"');
  });

  test('is that contact too when the merge ends while the import waits for it', async () => {
    const [second, phone] = ['+971501211003', '+971501221003'];
    const [gone, kept] = [await create({ phone: second }), await create({ phone })];
    const { db } = kit.app.platform;
    const waiting = `select from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`;
    const importing = await db.tenant(kit.tenantId, async (tx) => {
      // What a merge does to the two.
      await tx.run('delete from contact where tenant_id = $1 and id = $2', [kit.tenantId, gone.id]);
      await tx.run(
        `insert into contact_identity (tenant_id, environment, channel, external_id, contact_id)
         values ($1, 'sandbox', 'sms', $2, $3)`,
        [kit.tenantId, second, kept.id],
      );
      const { body } = await upload(`phone,name\n${second},Gone\n`);
      await expect.poll(() => sqlAt(kit.ownerUrl, waiting), { timeout: 20_000 }).toHaveLength(1);
      return body;
    });
    expect(await finished(importing.id)).toMatchObject({ created: 0, updated: 1 });
    expect((await kit.ask(`GET /contacts/${kept.id}/`)).body).toMatchObject({ name: 'Gone' });
    expect(await contactOf(second)).toMatchObject({ id: kept.id, phone: kept.phone });
  });
});

test('a worker that lost its lease changes nothing', async () => {
  const { db, clock, random, jobs } = kit.app.platform;
  const { tenantId } = kit;
  const scope = { tenantId, environment: 'sandbox' } as const;
  const row = { phone: '+971501160001', name: null, attributes: {}, segments: [], lines: [2] };
  await db.tenant(tenantId, async (tx) => {
    await insertImport(tx, scope, 'imp_lost', clock());
    await insertPiece(tx, tenantId, 'imp_lost', { partition: 0, lines: 1, rows: [row] }, 1);
  });
  const job = {
    id: 1,
    tenantId,
    queue: 'contact-import',
    key: 'imp_lost.0',
    attempt: 1,
    payload: { importId: 'imp_lost', partition: 0 },
    claimId: newUuid(clock, randomBytes),
  };
  const applying = importNextPiece({ db, clock, random, jobs }, job);
  await expect(applying).rejects.toThrow(LeaseLost);
  expect(await contactOf(row.phone)).toBeUndefined();
  expect(await sqlAt(kit.ownerUrl, 'select from contact_import_piece')).toHaveLength(1);
});
