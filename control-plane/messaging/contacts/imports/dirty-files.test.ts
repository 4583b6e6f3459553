import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServiceKit, startService } from '../../service.kit.ts';
import { type DirtyFile, dirtyFiles } from './contact-files.fixture.ts';

let kit: ServiceKit;

beforeAll(async () => {
  kit = await startService();
});
afterAll(() => kit.stop());

function formOf(bytes: Uint8Array): FormData {
  const form = new FormData();
  form.append('file', new Blob([Uint8Array.from(bytes)]), 'contacts.csv');
  return form;
}

async function done(id: string) {
  await expect
    .poll(async () => (await kit.ask(`GET /contacts/bulk-import/${id}/`)).body.state)
    .toBe('done');
  return (await kit.ask(`GET /contacts/bulk-import/${id}/`)).body;
}

/** What the import came to: contacts by phone, and the file of problems without its first line and column. */
async function expectImported(
  id: string,
  { contacts = {}, problems = [], reading = {} }: DirtyFile,
) {
  const expected = Object.entries(contacts);
  expect(await done(id)).toMatchObject({ failed: problems.length, reading });
  for (const [phone, [name, attributes = {}]] of expected) {
    const [found] = (await kit.ask(`GET /contacts/?phone=${encodeURIComponent(phone)}`)).body
      .results;
    expect({ phone, name: found?.name, attributes: found?.attributes }).toEqual({
      phone,
      name,
      attributes,
    });
  }
  const { body, headers } = await kit.ask(`GET /contacts/bulk-import/${id}/problems/`);
  expect(headers.get('content-type')).toContain('text/csv');
  const [header, ...rows] = body.trimEnd().split('\r\n');
  expect(header).toMatch(/^(\ufeff)?"problem"/);
  expect(rows).toHaveLength(problems.length);
  for (const [at, [problem, row]] of problems.entries()) {
    const [, told, cells = ''] = /^"([^"]*)",?(.*)$/.exec(rows[at])!;
    expect(told).toMatch(problem);
    expect(cells.slice(1, -1).replaceAll('","', ',').replaceAll('""', '"')).toBe(row);
  }
}

describe.each(dirtyFiles)('$title', (file) => {
  test('by one call', async () => {
    const path = `/contacts/bulk-import/${file.query ?? ''}`;
    const { status, body } = await kit.send(path, formOf(file.bytes));
    if (file.refused !== undefined) {
      expect([status, body.errors?.file]).toEqual([400, [expect.stringMatching(file.refused)]]);
      return;
    }
    expect(status, JSON.stringify(body)).toBe(202);
    await expectImported(body.id, file);
  });

  if (file.refused !== undefined) return;
  test('by a preview, which counts what the import then leaves out', async () => {
    const path = `/contacts/bulk-import/preview/${file.query ?? ''}`;
    const { status, body } = await kit.send(path, formOf(file.bytes));
    expect(status, JSON.stringify(body)).toBe(201);
    const { problems = [], contacts = {} } = file;
    const usable = Object.keys(contacts).length;
    expect(body.counts).toEqual({
      rows: usable + problems.length,
      usable,
      problems: problems.length,
    });
    const started = await kit.ask(`POST /contacts/bulk-import/${body.id}/start/`);
    expect(started.status).toBe(202);
    await expectImported(body.id, file);
  });
});

test('the file of problems, mended, is taken as it is', async () => {
  const csv = { 'content-type': 'text/csv' };
  const first = await kit.send('/contacts/bulk-import/', 'phone;name;note\n12;=A();x\n', csv);
  await done(first.body.id);
  const { body } = await kit.ask(`GET /contacts/bulk-import/${first.body.id}/problems/`);
  const again = await kit.send(
    '/contacts/bulk-import/',
    body.replace('"12"', '"+971501009999"'),
    csv,
  );
  expect(await done(again.body.id)).toMatchObject({ created: 1, failed: 0 });
  const [contact] = (await kit.ask('GET /contacts/?phone=%2B971501009999')).body.results;
  expect(contact).toMatchObject({ name: '=A()', attributes: { note: 'x' } });
  expect(Object.keys(contact.attributes)).toEqual(['note']);
});
