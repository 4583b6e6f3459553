import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { runCommand } from '../../test/kit/agent-commands.ts';
import { type RunningAgent, startAgent } from '../../test/kit/agent-process.ts';
import { eventually } from '../../test/kit/eventually.ts';
import { type Harness, startHarness } from './harness.kit.ts';

/** A whole control plane, and a real agent that reads a folder for it. */
let harness: Harness;
let home: string;
let folder: string;
let connector: string;
let agents: RunningAgent[];

const examples = new URL('../../docs/quickstart/outbox/', import.meta.url).pathname;
const live = { environment: 'live' } as const;

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.stop());
beforeEach(async () => {
  agents = [];
  home = await mkdtemp(join(dirname(harness.erp.file), 'agent-'));
  folder = join(home, 'outbox');
  await mkdir(folder);
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

/**
 * An agent that watches the folder, for the production environment; its mapping is the one that is proposed for
 * a file that is there before.
 */
async function start(settings: object): Promise<void> {
  await copyFile(join(examples, '2026-0001.csv'), join(folder, 'sample.csv'));
  const { body: token } = await harness.call('POST /v1/agents/enrolment-tokens', {}, live);
  await command(['enroll', '--url', harness.urls.live], token.token);
  const file = join(home, 'files.json');
  await writeFile(file, JSON.stringify({ folder, settleSeconds: 0, ...settings }));
  const add = ['connector', 'add', 'files', '--name', 'out', '--settings-file', file, '--watch'];
  await command(add);
  const agent = startAgent(home, env());
  agents.push(agent);
  await agent.event('connected');
  const { body: known } = await harness.call('GET /v1/agents', undefined, live);
  const { body } = await harness.call(
    'POST /v1/connectors',
    {
      pattern: 'agent',
      kind: 'agent',
      name: 'Folder',
      agent_id: known.results.at(-1).id,
      settings: { connector: 'out' },
      default_profile: 'BIS-3.0',
    },
    live,
  );
  connector = body.id;
  const mapping = `/v1/connectors/${connector}/mapping`;
  expect((await harness.call(`GET ${mapping}`, undefined, live)).status).toBe(200);
  const approved = await harness.call(`POST ${mapping}/approve`, { min_confidence: 0.8 }, live);
  expect(approved.status).toBe(200);
  const from = { submit_from: '2020-01-01' };
  expect((await harness.call(`PATCH /v1/connectors/${connector}`, from, live)).status).toBe(200);
}

const made = async () => {
  const { body } = await harness.call(
    `GET /v1/invoices?connector_id=${connector}`,
    undefined,
    live,
  );
  return body.results.map((row: Record<string, string>) => `${row.number} ${row.status}`);
};
const inside = async (...parts: string[]) =>
  (await readdir(join(folder, ...parts)).catch(() => [])).toSorted();

test('a file that moves and is rejected by our checks makes room for its correction, which is submitted', async () => {
  await start({ move: true });
  const wrong = await readFile(join(examples, '2026-0002.csv'), 'utf8');
  await writeFile(join(folder, '2026-0002.csv'), wrong);
  await eventually(async () => expect(await made()).toContain('2026-0002 rejected'));
  await eventually(async () =>
    expect(await inside('rejected')).toEqual(['2026-0002.csv', '2026-0002.csv.reason.txt']),
  );
  await writeFile(
    join(folder, '2026-0002.csv'),
    wrong.replaceAll(',0884303369,Haven', ',BE0884303369,Haven'),
  );
  await eventually(async () => expect(await made()).toContain('2026-0002 validated'));
  // One that somebody withdraws before it is sent goes the same way.
  const hold = { submission: { hold: 'release' } };
  expect((await harness.call(`PATCH /v1/connectors/${connector}`, hold, live)).status).toBe(200);
  const right = await readFile(join(examples, '2026-0001.csv'), 'utf8');
  await writeFile(join(folder, 'held.csv'), right.replaceAll('2026-0001', '2026-0010'));
  const held = await eventually(async () => {
    const list = 'GET /v1/invoices?waits_for=release';
    const { body } = await harness.call(list, undefined, live);
    expect(body.results).toMatchObject([{ number: '2026-0010' }]);
    return body.results[0];
  });
  await harness.call(`POST /v1/invoices/${held.id}/withdraw`, {}, live);
  await eventually(async () => expect(await inside('rejected')).toContain('held.csv'));
});

test('another invoice in a file of the same name is submitted', async () => {
  const first = await readFile(join(examples, '2026-0001.csv'), 'utf8');
  await start({});
  await writeFile(join(folder, 'invoice.csv'), first);
  await eventually(async () => expect(await made()).toEqual(['2026-0001 validated']));
  await writeFile(join(folder, 'invoice.csv'), first.replaceAll('2026-0001', '2026-0009'));
  await eventually(async () =>
    expect(await made()).toEqual(['2026-0009 validated', '2026-0001 validated']),
  );
});
