import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCommand } from '../../test/kit/agent-commands.ts';

let folder: string;
let home: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-config-'));
  home = join(folder, 'home');
  file = join(folder, 'agent.yaml');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function agent(args: readonly string[], env: Record<string, string> = {}, input = '') {
  const ran = await runCommand(home, [...args, '--json'], {
    env: { DRAWBRIDGE_CONFIG: file, ...env },
    input,
  });
  return { ...ran, data: JSON.parse(ran.stdout) };
}

const sqlite = () => `
connectors:
  erp:
    kind: sqlite
    settings:
      file: ${join(folder, 'erp.db')}
      sections: { header: { table: invoice, key: number, match: number } }
`;

test('a setting is of the environment, else of the file, else its default, and says which', async () => {
  writeFileSync(file, 'watch_seconds: 30\ngrace_seconds: 5\nfile_roots: [/srv/a, /srv/b]\n');
  const { data } = await agent(['config', 'show'], { DRAWBRIDGE_GRACE_SECONDS: '7' });
  const row = (name: string) => data.settings.find((one: { name: string }) => one.name === name);
  expect(row('grace_seconds')).toMatchObject({ value: '7', from: 'environment' });
  expect(row('watch_seconds')).toMatchObject({ value: '30', from: 'file' });
  expect(row('file_roots')).toMatchObject({ value: '/srv/a:/srv/b', from: 'file' });
  expect(row('redial_cap_ms')).toMatchObject({ from: 'default' });
  expect(row('home')).toMatchObject({ value: home, from: 'environment' });
});

test('a source of the file is used like an added one, and changed in the file only', async () => {
  new Database(join(folder, 'erp.db'))
    .exec(`create table invoice (number text primary key); insert into invoice values ('INV-1')`)
    .close();
  writeFileSync(file, `file_roots: [${folder}]${sqlite()}`);
  expect((await agent(['config', 'check'])).data).toEqual({ file, connectors: ['erp'] });
  expect((await agent(['connector', 'test', 'erp'])).data).toMatchObject({
    sample_refs: ['INV-1'],
  });
  for (const args of [
    ['edit', 'erp', '--watch'],
    ['remove', 'erp', '--yes'],
    ['disable', 'erp'],
  ]) {
    const { data } = await agent(['connector', ...args]);
    expect(data.error.code).toBe('ERR_DRAWBRIDGE_3032');
  }
});

describe('what is wrong is named, and no value of a secret', () => {
  const mysql = (settings: string) => `connectors: { db: { kind: mysql, settings: ${settings} } }`;
  test.each([
    {
      yaml: 'watch_second: 3',
      code: 3030,
      cause: /watch_second is no setting, perhaps watch_seconds; known: home/,
    },
    { yaml: 'watch_seconds: soon', code: 3030, cause: /watch_seconds cannot be "soon"/ },
    { yaml: 'a: [', code: 3030, cause: /is no YAML: line 1/ },
    { yaml: 'home: &a [*a]', code: 3030, cause: /has an alias/ },
    { yaml: 'connectors: { erp: { kind: sqlit } }', code: 3030, cause: /erp\.kind is no kind/ },
    {
      yaml: 'connectors: { erp: { kind: sqlite, wach: true } }',
      code: 3030,
      cause: /perhaps watch/,
    },
    {
      yaml: 'connectors: { erp: { kind: sqlite, settings: { fil: x } } }',
      code: 3030,
      cause: /perhaps file/,
    },
    {
      yaml: mysql('{ host: db, database: erp, user: me, password: hunter2 }'),
      code: 3031,
      cause: /connectors\.db\.settings\.password is a secret.*env:NAME, file:PATH or keyring:NAME/,
    },
    {
      yaml: 'https_proxy: http://me:hunter2@proxy:3128',
      code: 3031,
      cause: /https_proxy is a secret/,
    },
    { yaml: 'https_proxy: env:NOWHERE', code: 4030, cause: /env:NOWHERE names no secret/ },
  ])('$yaml', async ({ yaml, code, cause }) => {
    writeFileSync(file, yaml);
    const ran = await agent(['config', 'check']);
    expect(ran.data.error).toMatchObject({
      code: `ERR_DRAWBRIDGE_${code}`,
      cause: expect.stringMatching(cause),
    });
    expect(ran.stdout + ran.stderr).not.toContain('hunter2');
    expect((await agent(['connector', 'list'])).data.error.code).toBe(`ERR_DRAWBRIDGE_${code}`);
  });
});

test('a secret is kept sealed, listed by name, and found by those who name it', async () => {
  const address = 'http://me:hunter2@127.0.0.1:1';
  writeFileSync(file, 'https_proxy: keyring:proxy\n');
  expect((await agent(['config', 'check'])).data.error.code).toBe('ERR_DRAWBRIDGE_4030');
  const env = { DRAWBRIDGE_CONFIG: '' };
  const set = await agent(['secret', 'set', 'proxy'], env, `${address}\n`);
  expect(set.data).toEqual({ name: 'proxy', where: 'sealed-file' });
  expect((await agent(['secret', 'list'], env)).data).toEqual(['proxy']);
  expect(await agent(['config', 'check'])).toMatchObject({ code: 0 });
  const shown = await agent(['config', 'show']);
  expect(shown.stdout).not.toContain('hunter2');
  expect((await agent(['secret', 'remove', 'proxy'], env)).data).toMatchObject({ removed: true });
  expect((await agent(['secret', 'remove', 'proxy'], env)).data.error.code).toBe(
    'ERR_DRAWBRIDGE_4030',
  );
});
