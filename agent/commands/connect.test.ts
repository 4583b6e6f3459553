import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pdfOf } from '@drawbridge/records/pdf/pdf.kit.ts';
import { ciiOf } from '@drawbridge/validation/source/cii.sample.ts';
import Database from 'better-sqlite3';
import mysql from 'mysql2/promise';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { runCommand } from '../../test/kit/agent-commands.ts';
import { dovecotUnavailable, startDovecot, type TestDovecot } from '../../test/kit/dovecot.ts';
import { freePort } from '../../test/kit/free-ports.ts';
import { mariadbUnavailable, startMariadb, type TestMariadb } from '../../test/kit/mariadb.ts';
import { deliver } from './mailbox.kit.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 }); // servers are started

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-connect-'));
  vi.stubEnv('HOME', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

let mailPassword = '';

async function agent(...args: string[]) {
  const env = { ERP_PASSWORD: 'p4ss', MAIL_PASSWORD: mailPassword };
  const ran = await runCommand(join(folder, 'home'), [...args, '--json'], { env });
  return { ...ran, data: JSON.parse(ran.stdout) };
}
const connect = (...args: string[]) => agent('connect', ...args);
const refusal = (cause: RegExp) => ({ error: { cause: expect.stringMatching(cause) } });

function database(sql: string): string {
  const file = join(folder, 'erp.db');
  new Database(file).exec(sql).close();
  return file;
}

const shop = [
  'create table customer (id integer primary key, name text, city text)',
  "insert into customer values (1, 'Gulf Star LLC', 'Dubai')",
  'create table invoice (id integer primary key, number text unique, invoice_date text, customer_id integer references customer (id), total numeric)',
  "insert into invoice values (1, 'INV-1', '2026-01-31', 1, 21), (2, 'INV-2', '2026-02-28', 1, 10.5)",
  'create table invoice_line (id integer primary key, invoice_id integer references invoice (id), description text, quantity numeric, unit_price numeric, net_amount numeric)',
  "insert into invoice_line values (1, 1, 'Pump', 2, 10, 20), (2, 2, 'Hose', 1, 10, 10)",
].join(';');

function emptyFile(name: string, content = ''): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const kept = (connector: string) => ({ connector, next: 'enroll' });

test('a database file becomes a connector that reads, in the folder that was named', async () => {
  const file = database(shop);
  expect((await connect(file)).data).toMatchObject(refusal(/question "right" is open: Are these/));
  expect((await connect(file, '--yes', '--name', 'shop')).data).toEqual(kept('shop'));
  const tried = await agent('connector', 'test', 'shop');
  expect(tried.data).toMatchObject({ sample_refs: ['INV-2', 'INV-1'] });
  const again = await connect(file, '--yes', '--name', 'shop', '--restart');
  expect(again.data).toEqual(kept('shop'));
  expect((await connect(file, '--yes', '--restart')).data).toEqual(kept('shop'));
  expect((await agent('connector', 'list')).data).toMatchObject([{ name: 'shop' }]);
});

test('what ended it before is tried once more, as its cause may have been mended', async () => {
  const file = join(folder, 'erp.db');
  expect((await connect(file, '--yes')).data).toMatchObject(refusal(/does not exist/));
  database(shop);
  expect((await connect(file, '--yes')).data).toEqual(kept('erp'));
});

test('a name that another source has is refused', async () => {
  const file = database(shop);
  await connect(file, '--yes', '--name', 'shop');
  const other = join(folder, 'other.db');
  copyFileSync(file, other);
  const refused = await connect(other, '--yes', '--name', 'shop');
  expect(refused).toMatchObject({
    code: 3,
    data: { error: { code: 'ERR_DRAWBRIDGE_3006', cause: expect.stringContaining('"shop"') } },
  });
  expect((await connect('--name', 'other')).data).toEqual(kept('other'));
});

test('answers to questions that there never are are refused', async () => {
  const ran = await connect(database(shop), '--answer', 'profil=BIS-3.0');
  expect(ran).toMatchObject({
    code: 3,
    data: refusal(/profil: there is no such.*Perhaps profile/),
  });
});

test('what was answered is kept, and the next call goes on from there, until it begins anew', async () => {
  const file = database(shop);
  const open = await connect('--answer', 'kind=sqlite', `address=~/${basename(file)}`);
  expect(open.data).toMatchObject(refusal(/Gulf Star LLC.* question "right" is open/));
  expect((await connect('--yes')).data).toEqual(kept('erp'));
  expect((await connect()).data).toEqual(kept('erp'));
  expect((await connect('--restart')).data).toMatchObject(refusal(/question "kind" is open/));
});

test('tables are chosen by hand, from those that are there', async () => {
  const file = database(shop);
  const hand = ['header=invoice', 'number=number', 'lines=invoice_line', 'lines-column=invoice_id'];
  const more = [
    'header-column=id',
    'customer=customer',
    'customer-column=customer_id',
    'customer-key=id',
  ];
  const answers = ['right=by-hand', ...[...hand, ...more].map((each) => `hand.${each}`)];
  const open = await connect(file, '--answer', ...answers);
  expect(open.data).toMatchObject(refusal(/question "right" is open/));
  await connect('--yes');
  const { data } = await agent('connector', 'show', 'erp');
  expect(data.settings.sections).toMatchObject({
    header: { table: 'invoice', match: 'number' },
    lines: { table: 'invoice_line', key: 'id', match: 'invoice_id', matchFrom: 'id' },
    customer: { table: 'customer', match: 'id', matchFrom: 'customer_id' },
  });
  const wrong = await connect(
    file,
    '--restart',
    '--answer',
    'right=by-hand',
    'hand.header=nothing',
  );
  expect(wrong.data).toMatchObject(refusal(/It is one of: .*invoice/));
});

test('a folder of files becomes a connector', async () => {
  const invoices = join(folder, 'invoices');
  mkdirSync(invoices);
  writeFileSync(join(invoices, 'a.csv'), 'number,item,quantity\nINV-1,Pump,2\nINV-1,Hose,1\n');
  const { data } = await connect(invoices, '--yes');
  expect(data).toEqual(kept('invoices'));
});

describe('a folder of files', () => {
  const table = [
    'Sales of January',
    'Invoice No;Date;Customer;Item;Qty;Price;Net;Total',
    'INV-1;2026-01-05;Acme;Pump;2;10,00;20,00;25,00',
    'INV-1;2026-01-05;Acme;Hose;1;5,00;5,00;25,00',
    'INV-2;2026-01-06;Bolt;Pump;1;10,00;10,00;10,00',
    'Total;;;;;;35,00;',
  ].join('\n');
  let invoices: string;
  beforeEach(() => {
    invoices = join(folder, 'invoices');
    mkdirSync(invoices);
    writeFileSync(join(invoices, 'january.csv'), table);
  });

  test('is looked into at once, and shown as its invoices read', async () => {
    const open = await connect(invoices);
    const { cause } = open.data.error;
    expect(cause).toMatch(/1 file: 1 CSV\./);
    expect(cause).toMatch(/Line 2 names the columns/);
    expect(cause).toMatch(/Rows with the same "Invoice No" are the lines of an invoice/);
    expect(cause).toMatch(/Number INV-1 of 2026-01-05 to Acme, total 25.00 +2 × Pump at 10.00/);
    expect(cause).toMatch(/question "right" is open/);
    expect((await connect('--yes')).data).toEqual(kept('invoices'));
    const shown = await agent('connector', 'show', 'invoices');
    expect(shown.data.settings).toMatchObject({
      headerLine: 2,
      documentColumn: 'Invoice No',
      skipRows: [{ empty: expect.arrayContaining(['Item', 'Qty']) }],
    });
    const tried = await agent('connector', 'test', 'invoices');
    expect(tried.data.sample_refs).toEqual(['january.csv#INV-1', 'january.csv#INV-2']);
  });

  test('with files of several layouts is read as one of them that is chosen', async () => {
    const content = ciiOf();
    writeFileSync(join(invoices, 're.pdf'), pdfOf({ files: [{ name: 'factur-x.xml', content }] }));
    const open = await connect(invoices, '--yes', '--answer', 'right=another');
    const choices = open.data.error.suggestions ?? [];
    const cause: string = open.data.error.cause;
    expect(cause).toMatch(/It is one of: yes, 1 \w+/);
    const title = /1 (?:CSV: Tables with 8 columns|PDF with[^,]*)/.exec(cause)![0];
    expect(choices).toEqual([]);
    const chosen = await connect(invoices, '--restart', '--yes', '--answer', `right=${title}`);
    expect(chosen.data).toEqual(kept('invoices'));
    const shown = await agent('connector', 'show', 'invoices');
    expect(shown.data.settings.kinds).toEqual([title.startsWith('1 CSV') ? 'csv' : 'pdf']);
  });

  test('is laid out as a person says, where nothing is found or something else is', async () => {
    writeFileSync(
      join(invoices, 'january.csv'),
      'Acme Ltd,,\nXa,Xb,Xc\nR-1,foo,2\nR-1,bar,1\nR-2,baz,3\n',
    );
    const open = await connect(invoices, '--answer', 'none=by-hand', 'right=by-hand');
    expect(open.data).toMatchObject(refusal(/question "hand.names-row" is open.*1, 2, 3, 4, 5, 0/));
    const said = ['hand.names-row=2', 'hand.row-is=line', 'hand.number-column=Xa', 'right=yes'];
    expect((await connect('--name', 'by-hand', '--answer', ...said)).data).toEqual(kept('by-hand'));
    const tried = await agent('connector', 'test', 'by-hand');
    expect(tried.data.sample_refs).toEqual(['january.csv#R-1', 'january.csv#R-2']);
  });

  test('is told to be read whole where one file of it is named', async () => {
    const file = join(invoices, 'january.csv');
    expect((await connect(file)).data.error.cause).not.toMatch(/alike/);
    writeFileSync(join(invoices, 'february.csv'), table.replaceAll('INV', 'FEB'));
    const open = await connect(file, '--restart');
    expect(open.data.error.cause).toMatch(
      /january\.csv stands in a folder of 2 files that look alike; all of them are read/,
    );
  });

  test('in which nothing is an invoice is told with the files', async () => {
    writeFileSync(join(invoices, 'january.csv'), 'nothing\n');
    writeFileSync(join(invoices, 'a.pdf'), pdfOf({ files: [], isEncrypted: true }));
    const { data } = await connect(invoices, '--yes');
    expect(data).toMatchObject(
      refusal(/2 files: 2 without an invoice.*a\.pdf: The PDF is encrypted/),
    );
  });
});

const noMail = dovecotUnavailable();
describe.skipIf(noMail !== undefined)(`a mailbox${noMail ? ` (${noMail})` : ''}`, () => {
  let server: TestDovecot;
  beforeAll(async () => {
    server = await startDovecot();
    mailPassword = server.password;
    const pdf = pdfOf({ files: [{ name: 'factur-x.xml', content: ciiOf() }] });
    const message = [
      'From: a@b',
      'Message-ID: <m1@b>',
      'MIME-Version: 1.0',
      'Content-Type: application/pdf',
      'Content-Disposition: attachment; filename="re-7.pdf"',
      'Content-Transfer-Encoding: base64',
      '',
      ...Buffer.from(pdf)
        .toString('base64')
        .match(/.{1,76}/g)!,
      '',
    ].join('\r\n');
    await deliver(server, message);
  });
  afterAll(() => server?.stop());

  test('is looked into at once, and becomes a connector of what is attached', async () => {
    const address = `imaps://${server.user}@${server.host}:${server.port}/INBOX`;
    const answers = ['--answer', 'password=env:MAIL_PASSWORD'];
    const refused = await connect(address, ...answers, '--yes');
    expect(refused.data).toMatchObject(refusal(/127\.0\.0\.1/));
    const open = await connect('--answer', 'mend=tls-off');
    expect(open.data.error.cause).toMatch(
      /INBOX: 1 file: 1 PDF with an invoice in them\..*Number RE-7 of 2026-03-02 to Horeca/,
    );
    expect((await connect('--yes')).data).toEqual(kept('inbox'));
    const tried = await agent('connector', 'test', 'inbox');
    expect(tried.data.sample_refs).toEqual([expect.stringMatching(/^m1@b\/.*\/re-7\.pdf$/)]);
  });
});

describe('what is wrong is a sentence with the next step', () => {
  const tables =
    (...sql: string[]) =>
    () =>
      database(sql.join(';'));
  test.each<[string, () => string | Promise<string>, RegExp]>([
    ['a path that is not there', () => join(folder, 'none.db'), /none\.db does not exist/],
    ['an empty file', () => emptyFile('erp.db'), /erp\.db is empty/],
    ['a file of no known kind', () => emptyFile('shadow', 'root:x'), /shadow is neither a SQLite/],
    ['a password in the address', () => 'mysql://a:hunter2@erp/fa', /Leave the password out/],
    ['an address without a database', () => 'mysql://a@erp', /Name the database too/],
    ['an address of a kind that there is not', () => 'oracle://a@erp/x', /Begin it with mysql:/],
    ['an API', () => 'https://erp.example/api', /connector add http --settings-file/],
    ['a host that is not known', () => 'mysql://a@erp.invalid/fa', /not a known host|looked up/],
    [
      'a port that is closed',
      async () => `postgres://a@127.0.0.1:${await freePort()}/fa`,
      /refused the connection: is the server running/,
    ],
    [
      'no table',
      tables('select 1', 'create table x (a)', 'drop table x'),
      /has no tables: name another one\.$/,
    ],
    [
      'no table of invoices',
      tables(
        'create table users (id integer primary key, email text)',
        "insert into users values (1, 'a@b')",
      ),
      /No table looks like invoices/,
    ],
    [
      'tables that are all empty',
      tables('create table users (id integer primary key, email text)'),
      /empty/,
    ],
  ])('%s', async (_, address, sentence) => {
    const ran = await connect(await address(), '--answer', 'password=env:ERP_PASSWORD', '--yes');
    expect(ran.data).toMatchObject(refusal(sentence));
    expect(ran.code).toBeGreaterThan(0);
    expect(ran.stdout + ran.stderr).not.toContain('hunter2');
  });

  test('a password on the command line', async () => {
    const ran = await connect('mysql://a@erp/fa', '--answer', 'password=hunter2');
    expect(ran.data).toMatchObject(refusal(/others can see it: give env:NAME/));
    expect(ran.stdout + ran.stderr).not.toContain('hunter2');
  });
});

const lacking = mariadbUnavailable();
describe.skipIf(lacking !== undefined)(
  `at a MariaDB server${lacking ? ` (${lacking})` : ''}`,
  () => {
    let server: TestMariadb;
    let address: (user: string) => string;
    beforeAll(async () => {
      server = await startMariadb();
      const root = await mysql.createConnection({ uri: server.url, multipleStatements: true });
      await root.query(
        shop.replaceAll('text unique', 'varchar(40) unique').replaceAll(' text', ' varchar(40)'),
      );
      for (const user of ['reader', 'nobody']) {
        await root.query(`create user ${user} identified by 'p4ss'`);
      }
      await root.query('grant select on erp.* to reader');
      await root.query('grant create temporary tables on erp.* to nobody');
      await root.end();
      address = (user) => server.url.replace('root@', `${user}@`);
    });
    afterAll(() => server?.stop());

    test('a login that may read is enough, and is not asked to write', async () => {
      const { data } = await connect(
        address('reader'),
        '--answer',
        'password=env:ERP_PASSWORD',
        '--yes',
      );
      expect(data).toEqual(kept('erp'));
      const shown = await agent('connector', 'show', 'erp');
      expect(shown.data.settings).toMatchObject({ password: '***', writeBack: { mode: 'none' } });
      expect((await agent('connector', 'test', 'erp')).data.sample_refs).toEqual([
        'INV-2',
        'INV-1',
      ]);
    });

    test('a wrong password, and a login without rights, are told', async () => {
      const wrong = await connect(address('reader'), '--answer', 'password=env:PATH', '--yes');
      expect(wrong.data).toMatchObject(refusal(/refuses this user or password/));
      const none = await connect(
        address('nobody'),
        '--answer',
        'password=env:ERP_PASSWORD',
        '--yes',
      );
      expect(none.data).toMatchObject(refusal(/sees no table/));
    });
  },
);
