import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { mappings } from '../../scripts/demo/mappings.ts';
import { runCommand } from '../../test/kit/agent-commands.ts';
import { type RunningAgent, startAgent } from '../../test/kit/agent-process.ts';
import { eventually } from '../../test/kit/eventually.ts';
import { sqlAt } from '../../test/kit/postgres.ts';
import { erpSettings } from './erp.kit.ts';
import { type Harness, startHarness } from './harness.kit.ts';

/** A whole control plane, and a real agent that reads and writes the ERP for it. */
let harness: Harness;
let home: string;
let connector: string;
let agents: RunningAgent[];
const waitMs = { prefer: 'respond-async' };

beforeAll(async () => {
  harness = await startHarness();
  await harness.erp.run('alter table OSALES add column CHANGES integer not null default 0');
});
afterAll(() => harness?.stop());
beforeEach(async () => {
  agents = [];
  home = await mkdtemp(join(dirname(harness.erp.file), 'agent-'));
  const { body: token } = await harness.call('POST /v1/agents/enrolment-tokens', {});
  await command(['enroll', '--url', harness.urls.sandbox], token.token);
  const file = join(home, 'erp.json');
  await writeFile(file, JSON.stringify(erpSettings(harness.erp.file)));
  await command(['connector', 'add', 'sqlite', '--name', 'erp', '--settings-file', file]);
  const agent = await run();
  const { body } = await harness.call('GET /v1/agents');
  connector = await addConnector(body.results.at(-1).id);
  await agent.stop('SIGTERM');
});
afterEach(async () => {
  await Promise.all(agents.map((agent) => agent.stop('SIGKILL')));
  await rm(home, { recursive: true });
});

const env = () => ({
  DRAWBRIDGE_FILE_ROOTS: dirname(harness.erp.file),
  DRAWBRIDGE_WATCH_SECONDS: '1',
});

async function command(args: string[], input = ''): Promise<void> {
  const { code, stderr } = await runCommand(home, args, { input, env: env() });
  expect([code, stderr]).toEqual([0, '']);
}

async function addConnector(agentId: string): Promise<string> {
  const { body } = await harness.call('POST /v1/connectors', {
    pattern: 'agent',
    kind: 'agent',
    name: 'Through the bridge',
    agent_id: agentId,
    settings: { connector: 'erp' },
    default_profile: 'PINT-AE',
  });
  const fields = mappings['PINT-AE'].fields.map((field) => ({ ...field, status: 'approved' }));
  const path = `/v1/connectors/${body.id}/mapping?profile=PINT-AE`;
  const { status } = await harness.call(`PUT ${path}`, { mapping: { fields } });
  expect(status).toBe(200);
  return body.id;
}

async function run(): Promise<RunningAgent> {
  const agent = startAgent(home, env());
  agents.push(agent);
  await agent.event('connected');
  return agent;
}

const submit = async () => {
  const ref = await harness.erp.add('AE');
  const over = { connector_id: connector };
  const { body } = await harness.submit(ref, over, { headers: waitMs });
  return body.id as string;
};

/** Puts the jobs off for hours, as many failed attempts do. */
async function restLong(queue: string): Promise<void> {
  await eventually(async () => {
    const rested = await sqlAt(
      harness.databaseUrl,
      `update job set run_at = now() + interval '1 day'
       where queue = $1 and claim_id is null and (payload->>'failures')::int > 0 returning 1`,
      [queue],
    );
    expect(rested).not.toEqual([]);
  });
}

/** The receiver's status comes half a minute after the document. */
async function arrive(id: string): Promise<void> {
  harness.advance(60_000);
  await eventually(async () => {
    await sqlAt(harness.databaseUrl, 'update job set run_at = now() where key = $1', [id]);
    const { body } = await harness.call(`GET /v1/invoices/${id}`);
    expect(body.status).toBe('delivered');
  });
}

test('an agent that comes back is asked at once for the documents that wait for it', async () => {
  const id = await submit();
  await restLong('invoice');
  expect((await harness.call(`GET /v1/invoices/${id}`)).body.status).toBe('validating');
  await run();
  await harness.until(id, ['submitted', 'delivered']);
});

test('a confirmation that waits for its agent is shown as soon as it is written', async () => {
  const agent = await run();
  const id = await submit();
  await harness.until(id, ['submitted']);
  await agent.stop('SIGKILL');
  await arrive(id);
  await restLong('write-back');
  await run();
  await eventually(async () => {
    const { body } = await harness.call(`GET /v1/invoices/${id}`);
    expect(body.write_back).toMatchObject({ outcome: 'written', status: 'delivered' });
  });
});

/** Adds a change counter to the ERP; the documents that are in it already are of another year. */
async function watch(): Promise<void> {
  await harness.erp.run(`update OSALES set DOC_DATE = '20200131'`);
  const changes = { column: 'CHANGES', key: 'DOC_NO' };
  const file = join(home, 'erp.json');
  await writeFile(file, JSON.stringify({ ...erpSettings(harness.erp.file), changes }));
  const add = ['connector', 'add', 'sqlite', '--name', 'erp', '--settings-file', file];
  await command([...add, '--watch', '--replace']);
}

const made = async () => {
  const { body } = await harness.call(`GET /v1/invoices?connector_id=${connector}`);
  return body.results.map((row: Record<string, string>) => `${row.source_ref} ${row.status}`);
};

/** Resolves once the document was reported `times` times and every report is decided on. */
const documentDecided = (ref: string, times: number) =>
  eventually(async () => {
    const [row] = await sqlAt(
      harness.databaseUrl,
      `select (select count(*)::int from job
        where queue in ('changed-document', 'document-batch')) as waiting`,
    );
    const events = await harness.sql(
      `select 1 from agent_event where topic = 'documents.read' and body -> 'refs' @> $1`,
      [JSON.stringify([ref])],
    );
    expect([events.length, row]).toEqual([times, { waiting: 0 }]);
  });

test('documents issued since the day are submitted automatically, each once', async () => {
  await watch();
  const today = new Date().toISOString().slice(0, 10);
  const on = await harness.call(`PATCH /v1/connectors/${connector}`, { submit_from: today });
  expect([on.status, on.body.submit_from]).toEqual([200, today]);
  const path = `GET /v1/connectors/${connector}`;
  const { body: inProduction } = await harness.call(path, undefined, { environment: 'live' });
  expect(inProduction.submit_from).toBeUndefined();
  const header = { DOC_DATE: today.replaceAll('-', '') };
  const good = await harness.erp.add('AE', { header });
  const faulty = await harness.erp.add('AE', { header, customer: { TAX_NO: '1' } });
  const agent = await run();
  await documentDecided(faulty, 1);
  await eventually(async () => {
    const rows = await made();
    expect(rows).toHaveLength(2);
    expect(rows).toContain(`${faulty} rejected`);
    expect(rows.join()).toMatch(new RegExp(`${good} (validated|submitted)`));
  });
  // A document that was sent is not sent again after a change; a corrected one is.
  await harness.erp.run(`update OCUST set TAX_NO = (select c.TAX_NO from OCUST c join OSALES s using (CUST_NO)
      where s.DOC_NO = '${good}') where CUST_NO = '${faulty}';
    update OSALES set CHANGES = CHANGES + 1 where DOC_NO in ('${good}', '${faulty}')`);
  await documentDecided(good, 2);
  await documentDecided(faulty, 2);
  await eventually(async () => expect(await made()).toHaveLength(3));
  await harness.until((await last()).id, ['validated', 'submitted']);
  expect((await last()).source_ref).toBe(faulty);
  const off = await harness.call(`PATCH /v1/connectors/${connector}`, { submit_from: null });
  expect([off.status, off.body.submit_from]).toEqual([200, undefined]);
  await agent.stop('SIGKILL');
});

const last = async () =>
  (await harness.call(`GET /v1/invoices?connector_id=${connector}&limit=1`)).body.results[0];

test('nothing is submitted automatically unless the connector says so', async () => {
  await watch();
  const ref = await harness.erp.add('AE');
  await run();
  await documentDecided(ref, 1);
  expect(await made()).toEqual([]);
});

test('what a host told before it took over the connectors of its former agent is submitted then', async () => {
  await watch();
  const today = new Date().toISOString().slice(0, 10);
  await harness.call(`PATCH /v1/connectors/${connector}`, { submit_from: today });
  const { body: token } = await harness.call('POST /v1/agents/enrolment-tokens', {});
  await command(['enroll', '--url', harness.urls.sandbox, '--replace'], token.token);
  const header = { DOC_DATE: today.replaceAll('-', '') };
  const ref = await harness.erp.add('AE', { header });
  await run();
  await documentDecided(ref, 1);
  expect(await made()).toEqual([]);
  const asPerson = async (...args: string[]) => {
    const key = { DRAWBRIDGE_API_KEY: harness.acme.keys.sandbox };
    const ran = await runCommand(home, [...args, '--json'], { env: { ...env(), ...key } });
    return { code: ran.code, ...JSON.parse(ran.stdout) };
  };
  const { error } = await asPerson('invoice', 'list', '--connector', 'erp');
  expect(error.code).toBe('ERR_DRAWBRIDGE_1043'); // and no second connector is made for the source
  const taken = await asPerson('connector', 'take-over');
  expect(taken).toMatchObject({ code: 0, taken: [{ id: connector, source: 'erp' }], left: [] });
  await eventually(async () => expect((await made()).join()).toContain(ref));
  const company = await runCommand(home, ['company', 'show', '--json']);
  expect(JSON.parse(company.stdout)).toHaveLength(1); // signed anew, for this agent
  expect(await asPerson('connector', 'take-over')).toMatchObject({ code: 0, taken: [], left: [] });
});
