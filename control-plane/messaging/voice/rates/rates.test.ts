import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServiceKit, startService } from '../../service.kit.ts';
import { setPrice } from '../../tenants/wallet/price-store.ts';
import { ratesOf } from './price.ts';

let kit: ServiceKit;
beforeAll(async () => {
  kit = await startService();
});
afterAll(() => kit.stop());

const add = (body: object) => kit.ask('POST /voice/api/rate-cards/', { body });
const csv = (text: string) =>
  kit.send('/voice/api/rate-cards/import/', text, { 'content-type': 'text/csv' });
const look = (text: string) =>
  kit.send('/voice/api/rate-cards/import/preview/', text, { 'content-type': 'text/csv' });
const rateAt = (number: string, day: string) => {
  const scope = { tenantId: kit.tenantId, environment: 'sandbox' } as const;
  const at = new Date(`${day}T00:00:00Z`);
  return kit.app.platform.db.tenant(kit.tenantId, async (tx) =>
    (await ratesOf(tx, scope, [number], 'EUR', at)).get(number),
  );
};

describe('rate cards', () => {
  test('are added exactly as written, and listed', async () => {
    const rate = { prefix: '+49', currency: 'EUR', per_minute: '0.012500', increment: '6/6' };
    const { status, body } = await add({ ...rate, valid_from: '2026-01-01T00:00:00Z' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ per_minute: '0.0125', connection_fee: '0', increment: '6/6' });
    expect((await kit.ask('GET /voice/api/rate-cards/')).body.results).toEqual([body]);
    const again = await add({ ...rate, valid_from: '2026-01-01T00:00:00Z' });
    expect([again.status, again.body.code]).toEqual([409, 'rate_exists']);
  });

  test.each([
    ['prefix', { prefix: '49' }],
    ['prefix', { prefix: '+0' }],
    ['currency', { currency: 'eur' }],
    ['per_minute', { per_minute: '-1' }],
    ['per_minute', { per_minute: '1e3' }],
    ['per_minute', { per_minute: '0.1234567' }],
    ['increment', { increment: '0/1' }],
    ['increment', { increment: '60' }],
    ['valid_until', { valid_from: '2026-02-01T00:00:00Z', valid_until: '2026-01-01T00:00:00Z' }],
    ['valid_until', { valid_until: '2020-01-01T00:00:00Z' }],
    ['valid_from', { valid_from: '2026-03-29T02:30:00+01:00' }],
    ['valid_from', { valid_from: '2026-03-29' }],
  ])('a wrong %s is refused: %o', async (field, wrong) => {
    const { status, body } = await add({
      prefix: '+1',
      currency: 'EUR',
      per_minute: '1',
      ...wrong,
    });
    expect([status, Object.keys(body.errors)]).toEqual([400, [field]]);
  });

  test('are imported by CSV, all or none; existing ones stay', async () => {
    const head = 'prefix,currency,per_minute,connection_fee,increment,valid_from,valid_until\n';
    const good =
      '+4930,EUR,0.02,,1/1,2026-01-01T00:00:00Z,\n' +
      '+4930,EUR,0.03,0.01,1/1,2026-06-01T00:00:00Z,2026-07-01T00:00:00Z\n' +
      '+49,EUR,0.0125,,6/6,2026-01-01T00:00:00Z,\n';
    const { status, body } = await csv(head + good);
    expect([status, body]).toEqual([201, { rows: 3, created: 2, unchanged: 1 }]);
    const bad = await csv(`${head}+33,EUR,0.02,,1/1,,\n+34,EUR,much,,1/1,,\n`);
    expect([bad.status, bad.body.errors.file[0]]).toEqual([
      400,
      expect.stringContaining('line 3: per_minute'),
    ]);
    const spain = await kit.ask('GET /voice/api/rate-cards/?prefix=%2B33');
    expect(spain.body.results).toEqual([]);
    expect((await csv('prefix,currency\n+1,EUR\n')).status).toBe(400);
    expect((await csv('prefix,colour\n+1,red\n')).status).toBe(400);
    const berlin = await kit.ask('GET /voice/api/rate-cards/?number=%2B493012345678');
    expect(berlin.body.results).toHaveLength(3);
  });

  test.each([
    ['a byte order mark and CRLF', '\ufeffprefix,currency,per_minute\r\n+351,EUR,0.02\r\n'],
    ['quotes', '"prefix","currency","per_minute"\n"+352","EUR","0.02"\n'],
  ])('a file with %s is read', async (_name, file) => {
    expect((await csv(file)).body).toEqual({ rows: 1, created: 1, unchanged: 0 });
  });

  test.each([
    ['a rate twice', '+353,EUR,0.02,2026-01-01T00:00:00Z\n+353,EUR,0.99,2026-01-01T00:00:00Z', 3],
    ['a rate twice from now on', '+353,EUR,0.02,\n+354,EUR,1,\n+353,EUR,0.99,', 4],
    ['a negative rate', '+353,EUR,-0.02,', 2],
    ['a comma for a point', '+353,EUR,"0,02",', 2],
  ])('a file with %s is refused with the line, and nothing is imported', async (_, lines, at) => {
    const { status, body } = await csv(`prefix,currency,per_minute,valid_from\n${lines}\n`);
    expect([status, body.errors.file[0]]).toEqual([400, expect.stringContaining(`line ${at}: `)]);
    const found = await kit.ask('GET /voice/api/rate-cards/?prefix=%2B353');
    expect(found.body.results).toEqual([]);
  });

  test('all wrong lines of a file are reported together, up to twenty', async () => {
    const line = (prefix: string, price: string) => `${prefix},EUR,${price}\n`;
    const some =
      line('+356', '0.02') + line('356', '0.02') + line('+357', 'much') + line('+356', '1');
    const { body } = await csv(
      `prefix,currency,per_minute,valid_from\n${some.replaceAll('\n', ',2026-01-01T00:00:00Z\n')}`,
    );
    expect(body.errors.file).toEqual([
      expect.stringContaining('line 3: prefix'),
      expect.stringContaining('line 4: per_minute'),
      expect.stringContaining('line 5: valid_from is that of +356 in line 2 too'),
    ]);
    expect(body.detail).toContain('and 2 more');
    const all = await csv(`prefix,currency,per_minute\n${line('356', '1').repeat(50)}`);
    expect(all.body.errors.file).toHaveLength(20);
    const found = await kit.ask('GET /voice/api/rate-cards/?prefix=%2B356');
    expect(found.body.results).toEqual([]);
  });

  test.each([
    [
      'with an end before its beginning',
      'prefix,currency,per_minute,valid_until\n+1,EUR,1,2020-01-01T00:00:00Z',
    ],
    ['that is one line without end', `"${'a'.repeat(300_000)}`],
    ['with a column twice', 'prefix,prefix,currency,per_minute\n+1,+2,EUR,1'],
  ])('a file %s is refused', async (_, file) => {
    expect((await csv(file)).status).toBe(400);
  });

  test('the same file again adds nothing, even without a begin in its rates', async () => {
    const file = (price: string) =>
      `prefix,currency,per_minute\n+354,EUR,${price}\n+353,EUR,0.03\n`;
    expect((await csv(file('0.02'))).body).toEqual({ rows: 2, created: 2, unchanged: 0 });
    expect((await csv(file('0.02'))).body).toEqual({ rows: 2, created: 0, unchanged: 2 });
    expect((await csv(file('0.05'))).body).toEqual({ rows: 2, created: 1, unchanged: 1 });
    expect((await csv(file('0.02'))).body).toMatchObject({ created: 1 });
  });

  test('another price at the instant of an existing rate is reported, not skipped', async () => {
    const file = (price: string) =>
      `prefix,currency,per_minute,valid_from\n+355,EUR,${price},2026-01-01T00:00:00Z\n`;
    expect((await csv(file('0.02'))).body).toMatchObject({ created: 1 });
    expect((await csv(file('0.020'))).body).toMatchObject({ created: 0, unchanged: 1 });
    const other = await csv(file('0.05'));
    expect([other.status, other.body.code]).toEqual([409, 'rate_exists']);
    expect(other.body.detail).toContain('+355');
  });

  test('a preview says of each row what would become of it, and writes nothing', async () => {
    const begun = '2026-01-01T00:00:00Z';
    const head = 'prefix,currency,per_minute,valid_from,valid_until\n';
    await csv(`${head}+361,EUR,0.02,${begun},\n+362,EUR,0.02,${begun},\n+363,EUR,0.02,,\n`);
    const lines = [
      `+361,EUR,0.020,${begun},`, // is there
      `+362,EUR,0.03,${begun},`, // another price then
      '+363,EUR,0.02,,', // is in force
      '+364,EUR,0.02,,', // new
      '364,EUR,"0,02",,', // two faults
      '+364,EUR,0.05,,', // twice
      `+365,EUR,0.05,${begun},2020-01-01T00:00:00Z`,
    ];
    const { status, body } = await look(head + lines.join('\n'));
    expect([status, body.counts]).toEqual([
      200,
      { rows: 7, created: 1, unchanged: 2, problems: 4 },
    ]);
    expect(body.columns).toEqual(['prefix', 'currency', 'per_minute', 'valid_from', 'valid_until']);
    const fieldsOf = (row: { problems: { field: string }[] }) => row.problems.map((p) => p.field);
    expect(body.rows.map(fieldsOf)).toEqual([
      [],
      ['valid_from'],
      [],
      [],
      ['prefix', 'per_minute'],
      ['valid_from'],
      ['valid_until'],
    ]);
    expect(body.rows[4]).toMatchObject({ line: 6, cells: ['364', 'EUR', '0,02', '', ''] });
    expect(body.rows[1].problems[0].problem).toContain('another rate of +362 that is there');
    expect(body.rows[5].problems[0].problem).toContain('that of +364 in line 5 too');
    const found = await kit.ask('GET /voice/api/rate-cards/?prefix=%2B364');
    expect(found.body.results).toEqual([]);
  });

  test('of a long file a preview shows the first rows and the first wrong ones, and counts all', async () => {
    const rows = Array.from({ length: 300 }, (_, at) => (at < 50 ? `+37${at}` : `37${at}`));
    const file = `prefix,currency,per_minute\n${rows.map((each) => `${each},EUR,1\n`).join('')}`;
    const { body } = await look(file);
    expect(body.counts).toEqual({ rows: 300, created: 50, unchanged: 0, problems: 250 });
    expect(body.rows).toHaveLength(120);
    expect(body.rows.at(-1)).toMatchObject({ line: 151, cells: ['37149', 'EUR', '1'] });
    expect(body.problems).toEqual([
      { field: 'prefix', problem: expect.any(String), rows: 250, first_line: 52 },
    ]);
    expect((await look('prefix,colour\n+1,red\n')).body.errors.file[0]).toContain('a column other');
    expect((await look('')).status).toBe(400);
  });

  test('a rate in force ends and stays in the list, one to come goes; each only once', async () => {
    const rate = { prefix: '+381', currency: 'EUR', per_minute: '0.02' };
    const valid_from = '2026-01-01T00:00:00Z';
    const held = (await add({ ...rate, valid_from })).body.id;
    const coming = (await add({ ...rate, valid_from: '2999-01-01T00:00:00Z' })).body.id;
    const path = (id: string) => `DELETE /voice/api/rate-cards/${id}/`;
    const stranger = await kit.keyOf('owner', kit.strangerId);
    expect((await kit.ask(path(held), { as: stranger })).status).toBe(404);
    expect((await kit.ask(path(held), { as: await kit.keyOf('agent') })).status).toBe(403);
    for (const id of [held, coming]) {
      expect((await kit.ask(path(id))).status).toBe(204);
      const again = await kit.ask(path(id));
      expect([again.status, again.body.code]).toEqual([404, 'rate_not_found']);
    }
    const { body } = await kit.ask('GET /voice/api/rate-cards/?prefix=%2B381');
    expect(body.results).toEqual([
      expect.objectContaining({ id: held, valid_until: expect.any(String) }),
    ]);
    expect(await rateAt('+38112345678', '2998-01-01')).toBeUndefined();
    expect(await rateAt('+38112345678', '2026-03-01')).toMatchObject({ perMinute: '0.02' });
    const logged = await kit.app.platform.db.tenant(kit.tenantId, (tx) =>
      tx.rows(
        `select before, after from audit_event
         where tenant_id = $1 and action = 'deleteRateCard' and outcome = 'done'
         order by id`,
        [kit.tenantId],
      ),
    );
    expect(logged).toEqual([
      { before: { valid_until: null }, after: { valid_until: expect.any(String) } },
      { before: expect.objectContaining({ id: coming }), after: null },
    ]);
  });

  test.each([
    ['+491711234567', '2026-03-01', { prefix: '+49', perMinute: '0.0125' }],
    ['+493012345678', '2026-03-01', { prefix: '+4930', perMinute: '0.02', firstSeconds: 1 }],
    ['+493012345678', '2026-06-15', { prefix: '+4930', perMinute: '0.03', connectionFee: '0.01' }],
    ['+493012345678', '2026-07-01', { prefix: '+4930', perMinute: '0.02' }],
    ['+493012345678', '2025-12-31', undefined],
    ['+33123456789', '2026-03-01', undefined],
  ])('%s on %s has the rate %o', async (number, day, rate) => {
    const found = await rateAt(number, day);
    if (rate === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(rate);
  });

  test('the host’s own price comes first, for each started minute', async () => {
    const price = { channel: 'voice', prefix: '+4930', currency: 'EUR', amount: '0.5' };
    await kit.app.platform.db.system((tx) => setPrice(tx, price));
    const found = await rateAt('+493012345678', '2026-03-01');
    expect(found).toMatchObject({ perMinute: '0.5', firstSeconds: 60, stepSeconds: 60 });
    expect(await rateAt('+491711234567', '2026-03-01')).toMatchObject({ perMinute: '0.0125' });
  });
});
