import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CimObject } from '@drawbridge/cim/json.ts';
import { invoice as bisInvoice } from '@drawbridge/profiles/bis-3.0/example.ts';
import { invoice as aeInvoice } from '@drawbridge/profiles/pint-ae/example.ts';
import { invoice as myInvoice } from '@drawbridge/profiles/pint-my/example.ts';
import { profileById } from '@drawbridge/profiles/registry.ts';
import { Validator } from '@drawbridge/validation/validate.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../test/kit/agent-commands.ts';
import { validateDocument } from '../rules/document-validation.ts';

const examples = { 'BIS-3.0': bisInvoice, 'PINT-AE': aeInvoice, 'PINT-MY': myInvoice } as const;
type Id = keyof typeof examples;
const ids = Object.keys(examples) as Id[];

const validator = new Validator();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-validate-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string | Uint8Array): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

function xmlOf(id: Id): string {
  const profile = profileById(id)!;
  return validator.validate(profile, profile.complete(examples[id])).xml;
}

const validate = (args: readonly string[], input?: string) =>
  runCommand(folder, ['validate', ...args], input === undefined ? {} : { input });

test.each(ids)('a good document of %s passes, as XML and as JSON that is completed', (id) => {
  const profile = profileById(id)!;
  const passed = { schema: 'passed', business_rules: 'passed', errors: [] };
  const json = Buffer.from(JSON.stringify(examples[id]));
  const good = { kind: 'judged', type: 'invoice', report: passed };
  expect(validateDocument(Buffer.from(xmlOf(id)), profile, false)).toMatchObject(good);
  expect(validateDocument(json, profile, true)).toMatchObject(good);
  expect(validateDocument(json, profile, false)).not.toMatchObject(good);
});

test('a good document ends with code 0', async () => {
  const file = write('good.xml', xmlOf('PINT-AE'));
  const { code, stdout, stderr } = await validate([file, '--profile', 'PINT-AE', '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual({
    file,
    profile: 'PINT-AE',
    type: 'invoice',
    status: 'passed',
    schema: 'passed',
    business_rules: 'passed',
    errors: [],
    warnings: [],
  });
});

test('a broken rule ends with code 3 and is shown with its stage, its place and its text', async () => {
  const xml = xmlOf('BIS-3.0').replace(/(<cbc:TaxInclusiveAmount[^>]*>)[^<]*/, '$11.00');
  const { code, stdout } = await validate(['-', '--profile', 'BIS-3.0'], xml);
  expect(code).toBe(3);
  expect(stdout).toMatch(/^Standard input failed as invoice .*\d errors?, 0 warnings\./);
  expect(stdout).toMatch(/rules.*BIS-3\.0-BR-CO-15.*fatal.*cac:LegalMonetaryTotal/);
  expect(stdout).not.toContain('Fix:');
});

test('--explain adds why it is a fault and how to mend it', async () => {
  const file = write('total.json', JSON.stringify({ ...aeInvoice, currency: 'DHS' }));
  const args = [file, '--profile', 'PINT-AE', '--complete', '--explain'];
  expect((await validate(args)).stdout).toMatch(/currency.*\n(.*\n)*.*Why: (.*\n)*.*Fix: /);
  const { errors } = JSON.parse((await validate([...args, '--json'])).stdout);
  const error = errors.find(({ rule }: { rule: string }) => rule === 'PINT-AE-ibr-cl-04');
  expect(error).toMatchObject({
    path: 'currency',
    explanation: {
      why: expect.any(String),
      fix: expect.stringContaining('AED'),
      erp: expect.any(String),
    },
  });
});

test('a fault of the schema skips the rules', async () => {
  const xml = xmlOf('PINT-MY').replace(/<cbc:IssueDate>[^<]*/, '<cbc:IssueDate>31/03/2026');
  const { code, stdout } = await validate(['-', '--profile', 'PINT-MY', '--json'], xml);
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({
    schema: 'failed',
    business_rules: 'skipped',
    errors: [{ rule: 'PINT-MY-XSD-value', field: '/Invoice/cbc:IssueDate' }],
  });
});

test('control characters of a document are not printed', async () => {
  const json = JSON.stringify({ '\u001b[31mnumber': '1' });
  const { code, stdout } = await validate(['-', '--profile', 'BIS-3.0'], json);
  expect(code).toBe(3);
  expect(stdout).toContain('MAP-unknown-field');
  expect(stdout).not.toContain('\u001b');
});

test('of very many faults the table shows the first, and --json shows all', async () => {
  const tax = { category: 'S', rate: 21 };
  const line = { name: 'Chair', qty: 1, unit: 'PCS', unit_price: '1.00', tax };
  const lines = Array.from({ length: 250 }, () => line);
  const json = JSON.stringify({ ...bisInvoice, lines, tax_breakdown: null });
  const args = ['-', '--profile', 'BIS-3.0', '--complete'];
  const { stdout } = await validate(args, json);
  expect(stdout).toContain('The first 200 are shown');
  expect(stdout.match(/BIS-3\.0-/g)).toHaveLength(200);
  const { errors } = JSON.parse((await validate([...args, '--json'], json)).stdout);
  expect(errors.length).toBeGreaterThanOrEqual(lines.length);
});

test('--quiet prints nothing and sets the exit code', async () => {
  expect(await validate(['-', '--profile', 'BIS-3.0', '--quiet'], '{}')).toEqual({
    code: 3,
    stdout: '',
    stderr: '',
  });
});

test.each([
  { args: ['none.xml', '--profile', 'BIS-3.0'], code: 4, error: 4003, cause: /cannot be read/ },
  { args: ['/', '--profile', 'BIS-3.0'], code: 4, error: 4003, cause: /directory/ },
  { args: ['none.xml'], code: 3, error: 3001, cause: /--profile/ },
  { args: ['none.xml', '--profile', 'FR'], code: 3, error: 3001, cause: /PINT-AE/ },
  { args: ['/dev/zero', '--profile', 'BIS-3.0'], code: 3, error: 3008, cause: /20000000 bytes/ },
])('$args ends with code $code and ERR_DRAWBRIDGE_$error', async ({ args, code, error, cause }) => {
  const ran = await validate(args);
  expect(ran.code).toBe(code);
  expect(ran.stdout).toBe('');
  expect(ran.stderr).toContain(`ERR_DRAWBRIDGE_${error}`);
  expect(ran.stderr).toMatch(cause);
});

const utf16 = Buffer.from(`\ufeff${'<Invoice/>'}`, 'utf16le');

test.each<[name: string, content: string | Uint8Array, cause: RegExp]>([
  ['nothing', '', /empty/],
  ['white space', ' \n\t', /empty/],
  ['half an element', '<Invoice', /well-formed.*line 1/s],
  ['another document', '<html xmlns="http://www.w3.org/1999/xhtml"/>', /html|document/i],
  ['a document type', '<!DOCTYPE Invoice [<!ENTITY a "b">]><Invoice>&a;</Invoice>', /DOCTYPE/],
  ['UTF-16', utf16, /UTF-8/],
  ['JSON cut off', '{"number": "1"', /not JSON/],
  ['JSON that is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), /not JSON/],
  ['a list', '[{"number":"1"}]', /must be an object/],
  ['JSON nested very deep', '['.repeat(100_000), /not JSON|object/],
])('%s cannot be judged, and the cause says why', (_, content, cause) => {
  const profile = profileById('BIS-3.0')!;
  expect(validateDocument(Buffer.from(content), profile, false)).toEqual({
    kind: 'failed',
    error: 'document_unreadable',
    cause: expect.stringMatching(cause),
  });
});

test('XML is validated as it is: it cannot be completed', () => {
  const profile = profileById('BIS-3.0')!;
  expect(validateDocument(Buffer.from('<Invoice/>'), profile, true)).toMatchObject({
    error: 'usage',
  });
});

test.each<[name: string, json: CimObject]>([
  ['no members', {}],
  ['members of other kinds', { lines: 'none', seller: [1, [2]], totals: null, currency: {} }],
  ['names of the language', JSON.parse('{"__proto__":{"a":1},"constructor":{"b":2}}')],
])('an invoice with %s is judged, completed or not', (_, json) => {
  for (const id of ids) {
    for (const isCompleted of [true, false]) {
      const bytes = Buffer.from(JSON.stringify(json));
      const judged = validateDocument(bytes, profileById(id)!, isCompleted);
      expect(judged.kind).toBe('judged');
    }
  }
});
