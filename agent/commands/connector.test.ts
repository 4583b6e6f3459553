import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../../test/kit/agent-commands.ts';
import { runAgent } from '../../test/kit/agent-process.ts';

let folder: string;
let file: string;
const header = { table: 'invoice', key: 'number', match: 'number' };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-connector-'));
  file = join(folder, 'erp.db');
  new Database(file)
    .exec(`create table invoice (number text primary key); insert into invoice values ('INV-1')`)
    .close();
});
afterEach(() => rmSync(folder, { recursive: true }));

async function connector(...args: string[]) {
  const home = join(folder, 'home');
  const env = { DRAWBRIDGE_FILE_ROOTS: folder };
  const ran = await runCommand(home, ['connector', ...args, '--json'], { env });
  return { ...ran, data: JSON.parse(ran.stdout) };
}

function settingsFile(): string {
  const path = join(folder, 'settings.json');
  writeFileSync(path, JSON.stringify({ file, sections: { header } }));
  return path;
}

function add(settings: object, ...options: string[]) {
  const path = join(folder, 'settings.json');
  writeFileSync(path, JSON.stringify(settings));
  return connector('add', 'sqlite', '--name', 'erp', '--settings-file', path, ...options);
}

const refusal = (number: number, cause: RegExp) => ({
  error: { code: `ERR_DRAWBRIDGE_${number}`, cause: expect.stringMatching(cause) },
});

test('a source that does not answer is not added, unless it need not be tried', async () => {
  const missing = { file: join(folder, 'none.db'), sections: { header } };
  expect((await add(missing)).data).toMatchObject(refusal(1008, /none\.db|file/));
  expect((await connector('list')).data).toEqual([]);
  expect((await add(missing, '--no-test')).data).toMatchObject({ name: 'erp', tested: false });
  expect((await connector('list')).data).toMatchObject([{ name: 'erp', enabled: true }]);
});

describe('a setting that is none is told, with those that are', () => {
  test.each([
    { settings: { fil: 'x' }, cause: /fil is no setting, perhaps file; known: file, sections/ },
    {
      settings: { file: 'x', sections: { header: { ...header, keys: 'y' } } },
      cause: /sections\.header\.keys is no setting, perhaps key; known: table, columns, key/,
    },
    {
      settings: { file: 'x', writeBack: { mode: 'side-table', shema: 'y' } },
      cause: /writeBack\.shema is no setting, perhaps schema; known: mode, schema/,
    },
  ])('$settings', async ({ settings, cause }) => {
    expect((await add(settings)).data).toMatchObject(refusal(3005, cause));
  });
});

test('a kind and a name that are none name the nearest', async () => {
  const kind = await connector('add', 'sqlit', '--name', 'x', '--settings-file', 'x.json');
  expect(kind.data).toMatchObject(refusal(4002, /Perhaps sqlite\?/));
  await add({ file, sections: { header } });
  expect((await connector('test', 'erb')).data).toMatchObject(refusal(4001, /"erb"/));
  expect((await connector('show', 'erb')).data).toMatchObject(refusal(4001, /Perhaps erp\?/));
});

test('settings are changed once the source answers with them, and stay as they were when not', async () => {
  await add({ file, sections: { header } });
  const bad = await connector('edit', 'erp', '--set', 'sections.header.table=nothing');
  expect(bad.data).toMatchObject(refusal(1008, /./));
  expect((await connector('edit', 'erp')).data).toMatchObject(refusal(3001, /Nothing is to be/));
  const good = await connector('edit', 'erp', '--set', 'writeBack={"mode":"none"}', '--watch');
  expect(good.data).toMatchObject({ name: 'erp', watch: true, tested: true });
  const { data } = await connector('show', 'erp');
  expect(data).toMatchObject({
    kind: 'sqlite',
    watch: true,
    settings: { file, sections: { header }, writeBack: { mode: 'none' } },
  });
});

test.each([
  [
    'a query that does not run',
    { lines: { query: 'select none_such from invoice where number = :ref', key: 'number' } },
  ],
  [
    'a query without its table',
    { lines: { query: 'select * from sold where number = :ref', key: 'number' } },
  ],
])('a connector with %s is not added', async (_, others) => {
  const added = await add({ file, sections: { header, ...others } });
  expect(added.data).toMatchObject(refusal(1008, /no such (column|table)/));
  expect((await connector('list')).data).toEqual([]);
});

test('a layout of files by which none is read is not added, one broken file is no matter', async () => {
  const invoices = join(folder, 'invoices');
  mkdirSync(invoices);
  const text = 'number;date\nINV-1;2026-01-31\n';
  writeFileSync(join(invoices, 'a.csv'), text);
  const path = join(folder, 'files.json');
  const addFiles = (settings: object) => {
    writeFileSync(path, JSON.stringify({ folder: invoices, ...settings }));
    return connector('add', 'files', '--name', 'csv', '--settings-file', path);
  };
  const missing = await addFiles({ documentColumn: 'Invoice No' });
  expect(missing.data).toMatchObject(refusal(1008, /Invoice No/));
  writeFileSync(join(invoices, 'b.csv'), 'something;else\n1;2\n');
  expect((await addFiles({ documentColumn: 'number' })).data).toMatchObject({
    tested: true,
  });
});

test('a secret is shown as *** and not taken from the command line', async () => {
  const path = join(folder, 'mysql.json');
  const settings = { host: '127.0.0.1', database: 'erp', user: 'reader', password: 'hunter2' };
  const writeBack = { mode: 'side-table', user: 'writer', password: 'hunter3' };
  writeFileSync(path, JSON.stringify({ ...settings, writeBack }));
  await connector('add', 'mysql', '--name', 'db', '--settings-file', path, '--no-test');
  const shown = await connector('show', 'db');
  expect(shown.data.settings).toMatchObject({ user: 'reader', password: '***' });
  expect(shown.data.settings.writeBack).toMatchObject({ user: 'writer', password: '***' });
  expect(shown.stdout).not.toMatch(/hunter/);
  for (const name of ['password', 'writeBack.password', 'url']) {
    const edited = await connector('edit', 'db', '--set', `${name}=hunter4`);
    expect(edited.data).toMatchObject(refusal(3001, /is a secret/));
    expect(edited.stdout + edited.stderr).not.toContain('hunter4');
  }
});

test('a disabled source is used by nobody until it is enabled; a removed one is forgotten', async () => {
  await add({ file, sections: { header } });
  expect((await connector('disable', 'erp')).data).toEqual({ name: 'erp', enabled: false });
  expect((await connector('test', 'erp')).data).toMatchObject(refusal(1008, /disabled/));
  expect((await connector('enable', 'erp')).data).toEqual({ name: 'erp', enabled: true });
  expect((await connector('test', 'erp')).data).toMatchObject({ sample_refs: ['INV-1'] });
  const draft = join(folder, 'home', 'mappings', 'erp', 'PINT-AE.yaml');
  mkdirSync(dirname(draft), { recursive: true });
  writeFileSync(draft, 'fields: []');
  expect((await connector('remove', 'erp')).data).toMatchObject(refusal(3001, /--yes/));
  expect(existsSync(draft)).toBe(true);
  expect((await connector('remove', 'erp', '--yes')).data).toEqual({ name: 'erp', removed: true });
  expect((await connector('list')).data).toEqual([]);
  expect(existsSync(draft)).toBe(false);
  expect(readFileSync(file).length).toBeGreaterThan(0);
});

test('the least rights of a database are printed as a script, of a file none', async () => {
  const postgres = await connector('grants', '--kind', 'postgres');
  expect(postgres.data.script).toContain(
    'GRANT SELECT ON "public"."invoice" TO "drawbridge_reader";',
  );
  await add({ file, sections: { header } });
  expect((await connector('grants', 'erp')).data).toMatchObject(refusal(4002, /"sqlite"/));
  expect((await connector('grants')).data).toMatchObject(refusal(3001, /name of a connector/));
});

describe('processes of one moment do not lose what the others wrote', () => {
  const count = 8;
  const names = Array.from({ length: count }, (_, index) => `p${index}`);
  const home = () => join(folder, 'home');
  const addConnector = (name: string) => {
    const settings = ['--name', name, '--settings-file', settingsFile()];
    const env = { DRAWBRIDGE_FILE_ROOTS: folder };
    return runAgent(home(), ['connector', 'add', 'sqlite', ...settings], { env });
  };
  test.each<[string, (name: string) => Promise<{ code: number | null }>, string[]]>([
    ['connectors', addConnector, ['connector', 'list']],
    [
      'secrets',
      (name) => runAgent(home(), ['secret', 'set', name], { input: 'hunter2' }),
      ['secret', 'list'],
    ],
  ])('%s, in a home that none has made yet', async (_, add, list) => {
    const ran = await Promise.all(names.map(add));
    expect(ran.map(({ code }) => code)).toEqual(names.map(() => 0));
    const { stdout } = await runCommand(home(), [...list, '--json']);
    const listed = JSON.parse(stdout).map((one: { name: string } | string) =>
      typeof one === 'string' ? one : one.name,
    );
    expect(listed.sort()).toEqual(names);
  });
});
