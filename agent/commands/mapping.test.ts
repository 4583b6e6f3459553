import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Erp, erpSettings, openErp } from '../../control-plane/einvoice/erp.kit.ts';
import { mappings } from '../../scripts/demo/mappings.ts';
import { runCommand } from '../../test/kit/agent-commands.ts';

let folder: string;
let home: string;
let erp: Erp;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-mapping-'));
  home = join(folder, 'home');
  erp = openErp(join(folder, 'erp.db'), new Date());
  const settings = join(folder, 'settings.json');
  writeFileSync(settings, JSON.stringify(erpSettings(erp.file)));
  for (const name of ['erp', 'other']) {
    const added = await command(
      'connector',
      'add',
      'sqlite',
      '--name',
      name,
      '--settings-file',
      settings,
    );
    expect(added.stderr).toBe('');
  }
});
afterAll(() => {
  erp.close();
  rmSync(folder, { recursive: true });
});

const command = (...args: string[]) =>
  runCommand(home, args, { env: { DRAWBRIDGE_FILE_ROOTS: folder } });

async function mapping(...args: string[]) {
  const ran = await command('mapping', ...args, '--json');
  return { ...ran, data: JSON.parse(ran.stdout) };
}

const refusal = (number: number, cause: RegExp) => ({
  error: { code: `ERR_DRAWBRIDGE_${number}`, cause: expect.stringMatching(cause) },
});
const draft = (name = 'erp') => join(home, 'mappings', name, 'PINT-AE.yaml');

/** The mapping of the demonstration, which all documents pass by. */
function writeGoodFile(change: (text: string) => string = (text) => text): string {
  const file = join(folder, 'good.json');
  const fields = mappings['PINT-AE'].fields.map((field) => ({ ...field, status: 'proposed' }));
  const whole = {
    format: 'drawbridge-mapping/1',
    profile: 'PINT-AE',
    source: { kind: 'sqlite', sections: { header: { table: 'ELSEWHERE' } } },
    fields,
  };
  writeFileSync(file, change(JSON.stringify(whole)));
  return file;
}

test('a proposal is kept as a file for its owner only, and says what is open', async () => {
  expect((await mapping('show', 'erp')).data).toMatchObject(refusal(4040, /no draft/));
  expect((await mapping('infer', 'erp', '--profile', 'X')).data).toMatchObject(
    refusal(3001, /PINT-AE/),
  );
  const { code, data } = await mapping('infer', 'erp', '--profile', 'PINT-AE');
  expect(code).toBe(0);
  expect(data).toMatchObject({ name: 'erp', profile: 'PINT-AE', draft: draft() });
  expect(data.mapping.fields).toContainEqual(
    expect.objectContaining({
      target: 'number',
      from: { section: 'header', column: 'DOC_NO' },
      confidence: expect.any(Number),
      reason: expect.any(String),
    }),
  );
  expect(data.value_maps).toContainEqual(
    expect.objectContaining({ list: 'currencies', recognised: expect.any(Number) }),
  );
  for (const { help } of data.missing) expect(help.length).toBeGreaterThan(10);
  expect(statSync(draft()).mode & 0o077).toBe(0);
  const shown = await command('mapping', 'show', 'erp');
  expect(shown.stdout).toMatch(/number\s+│ header\.DOC_NO/);
  expect((await mapping('show', 'erp', '--profile', 'PINT-MY')).data).toMatchObject(
    refusal(4040, /no draft of a mapping for PINT-MY yet, but for PINT-AE/),
  );
});

test('what a person has decided stays when it is proposed again', async () => {
  await mapping('infer', 'erp', '--profile', 'PINT-AE');
  const text = readFileSync(draft(), 'utf8');
  writeFileSync(
    draft(),
    text
      .replace('{ section: header, column: DOC_NO }', '{ section: header, column: DOC_ID }')
      .replace(/(target: number\n.*\n\s+status: )proposed/, '$1approved'),
  );
  const { data } = await mapping('infer', 'erp');
  expect(data.mapping.fields).toContainEqual(
    expect.objectContaining({
      target: 'number',
      from: { section: 'header', column: 'DOC_ID' },
      status: 'approved',
    }),
  );
});

test('a file that is imported while a proposal is made stays in it', async () => {
  const asked = Promise.withResolvers<void>();
  const imported = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    asked.resolve();
    const record = { id: 'INV-1', number: 'INV-1', date: '2026-01-31' };
    const body = request.url === '/invoices' ? [record] : record;
    void imported.promise.then(() => response.end(JSON.stringify(body)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const settings = join(folder, 'shop.json');
  writeFileSync(
    settings,
    JSON.stringify({
      url: `http://127.0.0.1:${port}`,
      list: { path: '/invoices' },
      read: { path: '/invoices/{ref}' },
    }),
  );
  const source = ['http', '--name', 'shop', '--settings-file', settings, '--no-test'];
  expect((await command('connector', 'add', ...source)).stderr).toBe('');
  const inferred = mapping('infer', 'shop', '--profile', 'PINT-AE');
  await asked.promise;
  expect((await mapping('import', 'shop', writeGoodFile())).code).toBe(0);
  imported.resolve();
  expect((await inferred).code).toBe(0);
  server.close();
  const { data } = await mapping('show', 'shop');
  const { target, from } = mappings['PINT-AE'].fields[0]!;
  expect(data.mapping.fields).toContainEqual(expect.objectContaining({ target, from }));
});

test('the columns of the source are shown', async () => {
  const { data } = await mapping('show', 'erp', '--source');
  expect(data.columns).toContainEqual(
    expect.objectContaining({ section: 'header', origin: 'OSALES', column: 'DOC_NO' }),
  );
});

test('a file is carried from one connector to another, and back to a file that is the same', async () => {
  const taken = await mapping('import', 'erp', writeGoodFile());
  expect(taken.data).toMatchObject({
    profile: 'PINT-AE',
    fields: mappings['PINT-AE'].fields.length,
  });
  expect(taken.data.notes).toEqual([expect.stringMatching(/sections header/)]);
  const first = join(folder, 'first.yaml');
  const second = join(folder, 'second.yaml');
  await mapping('export', 'erp', first);
  expect((await mapping('import', 'other', first)).data.notes).toEqual([]);
  await mapping('export', 'other', second);
  expect(readFileSync(second, 'utf8')).toBe(readFileSync(first, 'utf8'));
  const printed = await command('mapping', 'export', 'other', '-');
  expect(printed.stdout).toBe(readFileSync(first, 'utf8'));
});

test.each([
  ['an unknown member', (text: string) => text.replace('"format"', '"formatt"'), /formatt/],
  ['no YAML', (text: string) => text.slice(0, -2), /line 1/],
  [
    'another connector kind’s secrets',
    (text: string) => text.replace('"kind"', '"password"'),
    /password/,
  ],
])('%s is refused, and the draft stays', async (_, change, cause) => {
  await mapping('import', 'erp', writeGoodFile());
  const before = readFileSync(draft(), 'utf8');
  const { code, data } = await mapping('import', 'erp', writeGoodFile(change));
  expect(code).toBe(3);
  expect(data).toMatchObject(refusal(3040, cause));
  expect(readFileSync(draft(), 'utf8')).toBe(before);
});

test('newest documents are held against the draft, with places, totals and objections', async () => {
  await mapping('import', 'erp', writeGoodFile());
  const { data } = await mapping('test', 'erp');
  const { read, passed, refused } = data.documents;
  expect(read).toBe(passed + refused);
  const ref = await erp.add('AE', { customer: { TAX_NO: '1001' } });
  const { code, data: after } = await mapping('test', 'erp', '--documents', '1');
  expect(code).toBe(3);
  expect(after.documents).toEqual({ read: 1, passed: 0, refused: 1 });
  expect(after.refusals).toContainEqual(
    expect.objectContaining({
      rule: 'PINT-AE-ibr-132-ae',
      example: {
        source_ref: ref,
        source: expect.objectContaining({ connector: 'erp', origin: 'OCUST', column: 'TAX_NO' }),
      },
    }),
  );
  expect(after.objections[0]).toMatchObject({
    id: expect.stringMatching(/^obj_/),
    kind: 'refused',
  });
  const shown = await command('mapping', 'test', 'erp', '--documents', '1');
  expect(shown.stdout).toMatch(/0 of 1 documents would pass/);
  expect((await mapping('test', 'erp', '--documents', '51')).data).toMatchObject(
    refusal(3001, /50/),
  );
});

test('without an approval of this agent there is nothing to compare with, and no key to approve with', async () => {
  await mapping('import', 'erp', writeGoodFile());
  expect((await mapping('diff', 'erp')).data).toMatchObject(refusal(4040, /--remote/));
  expect((await mapping('approve', 'erp')).data).toMatchObject(refusal(2001, /identity/));
  expect((await mapping('approve', 'erp', '--answer', 'x')).data).toMatchObject(
    refusal(3001, /OBJECTION/),
  );
  expect(existsSync(join(home, 'mappings', 'erp', 'PINT-AE.approved.yaml'))).toBe(false);
});
