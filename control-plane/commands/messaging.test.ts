import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlAt, startMigratedPostgres, type TestPostgres } from '../../test/kit/postgres.ts';
import { controlPlaneMain } from '../../test/kit/programs.ts';

let postgres: TestPostgres;
let home: string;
let tenant: string;

beforeAll(async () => {
  postgres = await startMigratedPostgres();
  home = await mkdtemp(join(tmpdir(), 'commands-'));
  tenant = JSON.parse(await cli('tenant', 'create', 'Acme', '--json')).id;
});
afterAll(async () => {
  await postgres.stop();
  await rm(home, { recursive: true });
});

const cli = (...args: string[]) => cliWith({}, ...args);

async function cliWith(more: Record<string, string>, ...args: string[]): Promise<string> {
  const env = { ...process.env, DATABASE_URL: postgres.url, DRAWBRIDGE_HOME: home, ...more };
  return (
    await promisify(execFile)(process.execPath, [controlPlaneMain, ...args], { env })
  ).stdout.trim();
}

test('the host tops a wallet up once for each payment, and corrects it to zero at the least', async () => {
  const at = ['--tenant', tenant, '--environment', 'live'];
  const topUp = (amount: string, reference: string, currency = 'USD') =>
    cli(
      'wallet',
      'top-up',
      ...at,
      `--amount=${amount}`,
      '--currency',
      currency,
      '--reference',
      reference,
    );
  await expect(cli('wallet', 'show', ...at)).rejects.toThrow(/never topped up/);
  expect(await topUp('250.50', 'p1')).toBe('250.5 USD, 0 of it promised, 250.5 free');
  await expect(topUp('250.50', 'p1')).rejects.toThrow(/"p1" was counted before; .* 250.5 USD/);
  await expect(topUp('-251', 'c1')).rejects.toThrow(/250.5 USD free: no more can be taken back/);
  await expect(topUp('1', 'p2', 'EUR')).rejects.toThrow(/the wallet is in USD, not EUR/);
  await expect(topUp('1e3', 'p2')).rejects.toThrow(/a decimal/);
  expect(JSON.parse(await cli('wallet', 'show', ...at, '--json')).balance).toBe('250.5');
});

test.each([
  [/there is no tenant .*tenant list/, ['member', 'create', 'a@example.com']],
  [/there is no tenant/, ['wallet', 'show', '--environment', 'live']],
  [/there is no tenant/, ['key', 'list']],
  [/there is no tenant/, ['voice', 'provider', 'list', '--environment', 'live']],
])('a tenant that is not there is said to be none', async (said, command) => {
  const nobody = '01a00000-0000-7000-8000-000000000000';
  await expect(cli(...command, '--tenant', nobody)).rejects.toThrow(said);
});

test.each<[string[], RegExp]>([
  [['--scope', 'invoices:reed'], /no invoices:reed in e-invoicing; there are .*invoices:read/],
  [['--service', 'messaging', '--scope', 'invoices:read'], /no invoices:read in messaging/],
  [['--expires', '2026-01-01'], /2026-01-01T00:00:00.000Z is over/],
  [['--expires', '01/02/2099'], /a day or an ISO 8601 instant with its zone/],
  [['--expires', '2099-02-31'], /a day or an ISO 8601 instant with its zone/],
  [['--expires', '2099-01-01T09:00:00'], /a day or an ISO 8601 instant with its zone/],
  [['--name', ' '], /what the key is for/],
])('no key is made with %j', async (more, said) => {
  const at = ['--tenant', tenant, '--environment', 'live'];
  await expect(cli('key', 'create', ...at, ...more)).rejects.toThrow(said);
});

test('a DATABASE_URL without a password is told in a sentence', async () => {
  const url = 'postgres://owner@127.0.0.1:1/drawbridge';
  const ran = cliWith({ DATABASE_URL: url }, 'tenant', 'list');
  await expect(ran).rejects.toThrow(/error: settings:\n {2}DATABASE_URL has no password .*\n$/);
});

test('limits that are agreed on stay until they are changed, and others than there are do not exist', async () => {
  const limits = (...words: string[]) => cli('tenant', 'limits', ...words, '--tenant', tenant);
  await limits('read=500');
  expect(await limits('submit=5000')).toBe('read=500\nsubmit=5000');
  expect(await limits('read=default', 'submit=6000')).toBe('submit=6000');
  await expect(limits('sumbit=5')).rejects.toThrow(/sumbit=5: .* read, write and submit/);
  expect(await limits('submit=default')).toBe('those of the installation');
});

test('what the host does is in its log, and in that of the tenant', async () => {
  const created = await cli('key', 'create', '--tenant', tenant, '--environment', 'live');
  await cli('member', 'create', 'owner@acme.example', '--tenant', tenant);
  const list = async (...more: string[]) =>
    JSON.parse(await cli('audit', 'list', '--json', ...more)) as {
      action: string;
      actor_kind: string;
      actor_id: string;
    }[];
  const [member, key] = await list('--tenant', tenant);
  expect(member).toMatchObject({ action: 'member create', after: { role: 'owner' } });
  expect(key).toMatchObject({ action: 'key create', actor_kind: 'host', after: { name: 'key' } });
  expect(key!.actor_id).toMatch(/^.+@.+$/);
  const host = await list();
  expect(host.map(({ action }) => action)).toContain('tenant create');
  expect(JSON.stringify(host)).not.toContain(created);
  expect(await cli('audit', 'list', '--action', 'member create')).toContain('member create');
});

test.each(['', ' ', 'a'.repeat(201)])('%j is refused as the name of a tenant', async (name) => {
  await expect(cli('tenant', 'create', name)).rejects.toThrow(/1 to 200 characters are needed/);
});

test('the host sets prices, and the last one holds', async () => {
  const set = (amount: string) =>
    cli(
      'wallet',
      'price',
      'set',
      '--channel',
      'sms',
      '--prefix',
      '+60',
      '--currency',
      'USD',
      '--amount',
      amount,
    );
  await set('0.05');
  await set('0.06');
  expect(await cli('wallet', 'price', 'list')).toBe('sms  +60  0.06 USD');
});

test('the host configures voice providers and tests them; secrets are never shown', async () => {
  const at = ['--tenant', tenant, '--environment', 'live'];
  const file = join(home, 'asterisk.json');
  const pbx = { url: 'https://127.0.0.1:8089', username: 'a', password: 'hush-hush', trunk: 't' };
  await writeFile(file, JSON.stringify(pbx));
  const id = await cli(
    'voice',
    'provider',
    'add',
    ...at,
    '--provider',
    'asterisk',
    '--name',
    'Office',
    '--from',
    '+60399990000',
    '--settings',
    file,
  );
  const shown = await cli('voice', 'provider', 'list', ...at, '--json');
  expect(JSON.parse(shown)).toMatchObject([{ id, provider: 'asterisk', name: 'Office' }]);
  expect(shown).not.toContain('hush-hush');
  await writeFile(file, JSON.stringify({ trunk: 'other' }));
  const update = (...more: string[]) => cli('voice', 'provider', 'update', id, ...at, ...more);
  await update('--name', 'Branch', '--settings', file, '--recording-days', '7');
  const changed = await cli('voice', 'provider', 'list', ...at, '--json');
  expect(JSON.parse(changed)).toMatchObject([{ id, name: 'Branch', from_number: '+60399990000' }]);
  await expect(update('--calls-per-second', '99')).rejects.toThrow(/calls_per_second/);
  const tested = cli('voice', 'provider', 'test', id, ...at);
  await expect(tested).rejects.toMatchObject({ stdout: expect.stringContaining('unreachable') });
});

test('the host prints a link by which a person sets a new password', async () => {
  await cli('member', 'create', 'lost@acme.example', '--tenant', tenant);
  const named = await cli('member', 'reset-password', 'Lost@Acme.example');
  expect(named).toMatch(/^POST http.*\/password\/reset\/ \{"token":"[\w-]{43}"/);
  const page = { PASSWORD_RESET_URL: 'https://acme.example/new' };
  const link = await cliWith(page, 'member', 'reset-password', 'lost@acme.example');
  expect(link).toMatch(/^https:\/\/acme\.example\/new#token=[\w-]{43}$/);
  await expect(cli('member', 'reset-password', 'nobody@acme.example')).rejects.toThrow(
    /nobody has the address/,
  );
});

test('the host removes a second factor, and says when there is none', async () => {
  const made = JSON.parse(
    await cli('member', 'create', 'two@acme.example', '--tenant', tenant, '--json'),
  );
  const remove = () => cli('member', 'remove-second-factor', 'two@acme.example');
  await expect(remove()).rejects.toThrow(/nobody with the address .* has a second factor/);
  await sqlAt(postgres.url, 'select begin_second_factor($1, $2, now())', [made.id, 'sealed']);
  expect(await remove()).toBe('two@acme.example signs in by password alone');
  await expect(remove()).rejects.toThrow(/nobody/);
});

test('the host makes the first member of a tenant, whose password is shown once', async () => {
  const make = (...more: string[]) =>
    cli('member', 'create', 'Boss@Acme.example', '--tenant', tenant, '--json', ...more);
  const made = JSON.parse(await make());
  expect(made).toMatchObject({ email: 'boss@acme.example', role: 'owner' });
  expect(made.password).toHaveLength(24);
  expect(JSON.parse(await make())).toMatchObject({ id: made.id, password: null });
  await expect(cli('member', 'create', 'nobody', '--tenant', tenant)).rejects.toThrow(/address/);
});
