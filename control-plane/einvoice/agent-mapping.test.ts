import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { mappings } from '../../scripts/demo/mappings.ts';
import { runCommand } from '../../test/kit/agent-commands.ts';
import { type RunningAgent, startAgent } from '../../test/kit/agent-process.ts';
import { makeMember } from '../people/members/new-member.ts';
import type { EinvoicingRole } from '../people/roles/einvoicing-roles.ts';
import { erpSettings, goodRef } from './erp.kit.ts';
import { type Harness, startHarness } from './harness.kit.ts';

vi.setConfig({ testTimeout: 240_000 }); // each test starts several processes

/** A whole control plane, and a real agent whose person approves mappings from its command line. */
let harness: Harness;
let home: string;
let agent: RunningAgent;
let keyFile: string;

beforeAll(async () => {
  harness = await startHarness();
  home = await mkdtemp(join(dirname(harness.erp.file), 'agent-'));
  const { body: token } = await harness.call('POST /v1/agents/enrolment-tokens', {});
  await run(['enroll', '--url', harness.urls.sandbox], { input: token.token });
  keyFile = join(home, 'key.txt');
  await writeFile(keyFile, `${harness.acme.keys.sandbox}\n`);
  agent = startAgent(home, env());
  await agent.event('connected');
}, 120_000);
afterAll(async () => {
  await agent?.stop('SIGKILL');
  await harness?.stop();
  await rm(home, { recursive: true, force: true });
});

let made = 0;
let name: string;
beforeEach(async () => {
  made += 1;
  name = `erp${made}`;
  await harness.erp.run(
    `delete from OLINES where DOC_ID <> (select DOC_ID from OSALES where DOC_NO = '${goodRef('AE')}');
     delete from OSALES where DOC_NO <> '${goodRef('AE')}';`,
  );
  const settings = join(home, 'erp.json');
  await writeFile(settings, JSON.stringify(erpSettings(harness.erp.file)));
  await run(['connector', 'add', 'sqlite', '--name', name, '--settings-file', settings]);
});

const env = () => ({ DRAWBRIDGE_FILE_ROOTS: dirname(harness.erp.file) });

async function run(args: string[], over: { input?: string; env?: Record<string, string> } = {}) {
  const ran = await runCommand(home, [...args, '--json'], {
    ...over,
    env: { ...env(), ...over.env },
  });
  // A key is nowhere to be seen, whatever happens.
  expect(ran.stdout + ran.stderr).not.toContain(harness.acme.keys.sandbox);
  return { ...ran, data: JSON.parse(ran.stdout) };
}

interface Field {
  readonly target: string;
  readonly value?: string;
  readonly from?: object;
}

async function importDraft(change: (fields: Field[]) => Field[] = (fields) => fields) {
  const fields = change([...(mappings['PINT-AE'].fields as Field[])]);
  const file = join(home, 'draft.yaml');
  const whole = {
    format: 'drawbridge-mapping/1',
    profile: 'PINT-AE',
    source: { kind: 'sqlite' },
    fields: fields.map((field) => ({ ...field, status: 'proposed' })),
  };
  await writeFile(file, JSON.stringify(whole));
  expect((await run(['mapping', 'import', name, file])).code).toBe(0);
}

const approve = (...args: string[]) =>
  run(['mapping', 'approve', name, '--key-file', keyFile, ...args]);

const gross = {
  target: 'totals.gross',
  from: { section: 'header', column: 'GROSS_CONTROL' },
};

test('a draft is approved through a connector that is made for it, and documents go by it', async () => {
  await importDraft();
  const { code, data, stderr } = await approve();
  expect([code, data]).toMatchObject([
    0,
    { approved: true, version: 2, documents: { read: 1, passed: 1 }, objections: [] },
  ]);
  expect(stderr).toMatch(
    /has no connector for "erp\d+" of this agent yet: one is made, for PINT-AE/,
  );
  const { body } = await harness.call(`GET /v1/connectors/${data.connector_id}`);
  expect(body).toMatchObject({ pattern: 'agent', default_profile: 'PINT-AE', name });
  const submitted = await harness.submit(goodRef('AE'), { connector_id: data.connector_id });
  expect([submitted.status, submitted.body.errors]).toEqual([202, undefined]);

  expect((await run(['mapping', 'diff', name])).data.changes).toEqual([]);
  await importDraft((fields) => [
    ...fields.filter(({ target }) => target !== 'currency'),
    { target: 'currency', value: 'AED' },
  ]);
  const changed = [expect.objectContaining({ kind: 'changed', of: 'currency', after: '"AED"' })];
  expect((await run(['mapping', 'diff', name])).data.changes).toEqual(changed);
  const remote = await run(['mapping', 'diff', name, '--remote', '--key-file', keyFile]);
  expect(remote.data.changes).toEqual(changed);

  const again = await approve();
  expect(again.data).toMatchObject({ approved: true, connector_id: data.connector_id });
  expect(again.stderr).toBe('');
});

test('documents that a mapping refused are named once another one is approved, with the way to submit them again', async () => {
  await importDraft();
  const { data } = await approve();
  const over = { connector_id: data.connector_id };
  await harness.erp.run('alter table OSALES rename column CURR to CURRENCY');
  try {
    const { body: refused } = await harness.submit(goodRef('AE'), over);
    expect(refused.errors).toMatchObject([{ rule: 'PINT-AE-MAP-column-missing' }]);
    await importDraft((fields) => [
      ...fields.filter(({ target }) => target !== 'currency'),
      { target: 'currency', from: { section: 'header', column: 'CURRENCY' } },
    ]);
    const settings = ['--settings-file', join(home, 'erp.json')];
    const by = async () => {
      const args = ['mapping', 'approve', name, '--key-file', keyFile];
      return (await runCommand(home, args, { env: env() })).stdout;
    };
    const rejected = [{ id: refused.id, source_ref: goodRef('AE') }];
    expect((await approve()).data).toMatchObject({ approved: true, rejected });
    expect(await by()).toMatch(/1 document was rejected .* in the console, or by POST/);
    await run(['connector', 'add', 'sqlite', '--name', name, ...settings, '--watch', '--replace']);
    expect(await by()).toMatch(
      new RegExp(`drawbridge cursor rewind ${name} --to \\S+Z --send-again`),
    );
    const { text } = await harness.submit(goodRef('AE'), over);
    expect(text).not.toContain('-MAP-');
    expect((await approve()).data).toMatchObject({ approved: true, rejected: [] });
  } finally {
    await harness.erp.run('alter table OSALES rename column CURRENCY to CURR');
  }
});

test('how many documents wait for a first mapping is said with the next step, until it is approved', async () => {
  await importDraft();
  const show = () => run(['mapping', 'show', name, '--remote', '--key-file', keyFile]);
  expect((await show()).data.error.cause).toMatch(/no connector .* drawbridge mapping approve/);
  const { body } = await harness.call('POST /v1/connectors', {
    pattern: 'agent',
    kind: 'agent',
    name,
    agent_id: (await harness.call('GET /v1/agents')).body.results[0].id,
    default_profile: 'PINT-AE',
    settings: { connector: name },
  });
  await harness.sql(
    `insert into document_batch (tenant_id, environment, id, connector_id, refs, content)
     values ($1, 'sandbox', $2, $3, '["a", "b"]', '')`,
    [harness.acme.id, `evt_${name}`, body.id],
  );
  const waiting = async () =>
    (await harness.call('GET /v1/approvals')).body.results.filter(
      ({ connector_id: id }: { connector_id: string }) => id === body.id,
    );
  expect(await waiting()).toMatchObject([
    { kind: 'first_mapping', profile: 'PINT-AE', documents_waiting: 2, put_forward_by: [] },
  ]);
  const stranger = await harness.call('GET /v1/approvals', undefined, {
    key: harness.other.keys.sandbox,
  });
  expect(stranger.text).not.toContain(body.id);
  const shown = await runCommand(
    home,
    ['mapping', 'show', name, '--remote', '--key-file', keyFile],
    {
      env: env(),
    },
  );
  expect(shown.stdout).toContain(
    `2 documents wait for a first mapping. Next: drawbridge mapping test ${name}, then drawbridge mapping approve ${name}.`,
  );
  expect((await show()).data).toMatchObject({ version: 0, documents_waiting: 2 });
  await harness.call(`PUT /v1/connectors/${body.id}/mapping?profile=PINT-AE`, {
    mapping: {
      fields: mappings['PINT-AE'].fields.map((field) => ({ ...field, status: 'proposed' })),
    },
  });
  expect(await waiting()).toMatchObject([{ kind: 'mapping', documents_waiting: 2 }]);
  expect((await approve()).data).toMatchObject({ approved: true });
  expect(await waiting()).toEqual([]);
});

test('what stands against it is told before anything is changed, and answered by its id', async () => {
  await harness.erp.add('AE', { header: { GROSS_CONTROL: '7616.97' } });
  await importDraft((fields) => [...fields, gross]);
  const open = await approve();
  expect([open.code, open.data.approved]).toEqual([3, false]);
  const path = `/v1/connectors/${open.data.connector_id}/mapping`;
  expect((await harness.call(`GET ${path}`)).body.version).toBe(0);
  const answers = (open.data.objections as { id: string; kind: string }[]).flatMap(({ id }) => [
    '--answer',
    `${id}=The ERP rounds by line.`,
  ]);
  expect(open.data.objections).toContainEqual(expect.objectContaining({ kind: 'total_differs' }));
  const local = await run(['mapping', 'test', name]);
  expect(local.data.objections.map(({ kind }: { kind: string }) => kind)).toEqual(
    open.data.objections.map(({ kind }: { kind: string }) => kind),
  );
  const done = await approve(...answers);
  expect([done.code, done.data.approved]).toEqual([0, true]);
  const { body } = await harness.call('GET /v1/audit-log?limit=1');
  expect(JSON.stringify(body.results[0])).toContain('The ERP rounds by line.');
  const kept = await readFile(join(home, 'mappings', name, 'PINT-AE.approved.yaml'), 'utf8');
  expect(kept).toContain('GROSS_CONTROL');
});

test('one person proposes, and another approves what is proposed', async () => {
  await importDraft();
  const keyOf = async (role: EinvoicingRole) => {
    const { platform } = harness.app;
    const member = { email: `${role}@acme.example`, name: role, einvoicing_role: role };
    const { userId } = await makeMember(platform, harness.acme.id, member);
    const { access } = await platform.sessions.begin(userId, harness.acme.id, 'sandbox');
    return { env: { DRAWBRIDGE_API_KEY: access } };
  };
  const proposed = await run(['mapping', 'approve', name], await keyOf('developer'));
  expect([proposed.code, proposed.data.error]).toMatchObject([
    2,
    {
      code: 'ERR_DRAWBRIDGE_2012',
      cause: expect.stringMatching(/^The draft is proposed there now/),
    },
  ]);
  const approved = await run(['mapping', 'approve', name], await keyOf('approver'));
  expect([approved.code, approved.data.approved]).toEqual([0, true]);
});

test('a key comes from the environment, itself or by the name of a secret', async () => {
  await importDraft();
  await run(['secret', 'set', 'api-key'], { input: harness.acme.keys.sandbox });
  const named = { env: { DRAWBRIDGE_API_KEY: 'keyring:api-key' } };
  expect((await run(['mapping', 'approve', name], named)).data.approved).toBe(true);
  const plain = { env: { DRAWBRIDGE_API_KEY: harness.acme.keys.sandbox } };
  expect((await run(['mapping', 'approve', name], plain)).data.approved).toBe(true);
});

test.each([
  ['no key', {}, [], 2010, 2],
  ['a key that is none', { DRAWBRIDGE_API_KEY: 'sk_sandbox_nothing' }, [], 2011, 2],
  [
    'a key of another environment',
    () => ({ DRAWBRIDGE_API_KEY: harness.acme.keys.live }),
    [],
    2014,
    2,
  ],
  [
    'an address that is not safe',
    { DRAWBRIDGE_API_KEY: 'k' },
    ['--url', 'http://example.com'],
    3003,
    3,
  ],
  [
    'an address where nobody is',
    { DRAWBRIDGE_API_KEY: 'k' },
    ['--url', 'http://127.0.0.1:1'],
    1002,
    1,
  ],
] as const)('%s ends with an error that says what next', async (_, given, args, number, exit) => {
  await importDraft();
  const over = { env: typeof given === 'function' ? given() : given };
  const { code, data } = await run(['mapping', 'approve', name, ...args], over);
  expect([code, data.error.code]).toEqual([exit, `ERR_DRAWBRIDGE_${number}`]);
});

test('the company profile comes signed, and fills what the source does not hold, also where it is carried', async () => {
  const withoutSeller = (fields: Field[]) =>
    fields.filter(({ target }) => !target.startsWith('seller.'));
  await importDraft(withoutSeller);
  const before = await run(['mapping', 'test', name]);
  expect([before.code, before.data.documents.passed]).toEqual([3, 0]);
  expect(before.data.missing.join()).toMatch(/Seller/);
  const company = {
    legal_name: 'Al Noor Trading LLC',
    country: 'AE',
    trn: '100234567801003',
    registration_id: 'CN-1183764',
    registration_type: 'TL',
    registration_authority: 'Dubai Economy and Tourism',
    address_line1: 'Office 1204, Bay Square 7',
    city: 'Dubai',
    subdivision: 'DXB',
  };
  await harness.call('PUT /v1/company', company);
  const fetched = await run(['company', 'fetch', '--key-file', keyFile]);
  expect(fetched.data).toMatchObject({ environment: 'sandbox', company });
  const after = await run(['mapping', 'test', name]);
  expect([after.code, after.data.documents, after.data.missing]).toEqual([
    0,
    { read: 1, passed: 1, refused: 0 },
    [],
  ]);

  const { agent_id: agentId } = JSON.parse((await runCommand(home, ['status', '--json'])).stdout);
  const carried = await harness.call(`GET /v1/company/signed?agent_id=${agentId}`);
  const file = join(home, 'company.json');
  await writeFile(file, JSON.stringify(carried.body));
  expect((await run(['company', 'import', file])).data).toMatchObject({ company });
  await writeFile(file, JSON.stringify(carried.body).replace('100234567801003', '100234567801903'));
  expect((await run(['company', 'import', file])).data.error).toMatchObject({
    code: 'ERR_DRAWBRIDGE_3044',
    cause: expect.stringMatching(/signature/),
  });
  const foreign = { key: harness.other.keys.sandbox };
  const asked = await harness.call(
    `GET /v1/company/signed?agent_id=${agentId}`,
    undefined,
    foreign,
  );
  expect([asked.status, asked.body.code]).toEqual([404, 'agent_not_found']);
});
