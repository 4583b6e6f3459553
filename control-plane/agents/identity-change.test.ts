import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { runCommand } from '../../test/kit/agent-commands.ts';
import { type RunningAgent, runAgent, startAgent } from '../../test/kit/agent-process.ts';
import { eventually } from '../../test/kit/eventually.ts';
import { sqlAt, startDb, type TestDb } from '../../test/kit/postgres.ts';
import { controlPlaneMain } from '../../test/kit/programs.ts';
import { type Relay, startRelay } from '../../test/kit/relay.ts';
import { newTenant, secretKey, startNode, type TestNode } from './node.fixture.ts';

/** Tests with real agents, a real control plane, and the host's commands as processes. */
vi.setConfig({ testTimeout: 180_000 });

let kit: TestDb;
let node: TestNode;
let relay: Relay;
let tenantId: string;
let folder: string;
let home: string;
let agent: RunningAgent | undefined;
let agentId: string;

beforeEach(async () => {
  kit = await startDb();
  tenantId = await newTenant(kit, randomUUID());
  node = await startNode(kit);
  relay = await startRelay(Number(new URL(node.url).port));
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-identity-change-'));
  home = join(folder, 'home');
  agentId = await enrolAgent();
});
afterEach(async () => {
  await agent?.stop('SIGKILL');
  agent = undefined;
  await relay.close();
  await node.close();
  await kit.stop();
  rmSync(folder, { recursive: true });
});

async function enrolAgent(...options: string[]): Promise<string> {
  const { body } = await node.request('POST', '/v1/agents/enrolment-tokens', tenantId, {});
  const args = ['enroll', '--url', relay.url, '--json', ...options];
  const enrolled = await runCommand(home, args, { input: body.token });
  expect(enrolled).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(enrolled.stdout).agent_id;
}

interface Answer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** `keys rotate-link …` on another host of the installation. */
function rotateLink(...args: string[]): Promise<Answer> {
  const env = {
    ...process.env,
    DATABASE_URL: kit.url,
    DRAWBRIDGE_HOME: join(folder, 'host'),
    DRAWBRIDGE_SECRET_KEY: secretKey,
  };
  return new Promise((resolve) => {
    const command = [controlPlaneMain, 'keys', 'rotate-link', ...args];
    execFile(process.execPath, command, { env }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}

async function rotated(): Promise<string> {
  const { code, stdout } = await rotateLink('--json');
  expect(code).toBe(0);
  return JSON.parse(stdout).public_key;
}

async function status() {
  return JSON.parse((await rotateLink('--status', '--json')).stdout);
}

/** What the agent has on its disk. */
async function keyOnDisk(): Promise<string> {
  return JSON.parse((await runCommand(home, ['status', '--json'])).stdout).control_plane_key;
}

/** What the control plane knows of the agent. */
async function known(): Promise<{ key: string; epoch: number }> {
  const [row] = await sqlAt<{ key: string; epoch: number }>(
    kit.url,
    'select control_plane_key as key, confirmed_epoch as epoch from agent where id = $1',
    [agentId],
  );
  return row!;
}

const keyKnown = async () => (await known()).key;

/** Starts the agent, and resolves when the control plane has its answer to the welcome. */
async function startLinked(): Promise<RunningAgent> {
  const { epoch } = await known();
  const started = startAgent(home);
  await started.event('connected');
  await eventually(async () => expect((await known()).epoch).toBeGreaterThan(epoch));
  return started;
}

const isLinked = async () =>
  (await node.request('GET', `/v1/agents/${agentId}`, tenantId)).body.online as boolean;

test('a linked agent follows to a new key, the old one is retired, and the agent links again', async () => {
  agent = startAgent(home);
  await agent.event('connected');
  const old = await keyOnDisk();
  const made = await rotateLink('--json');
  const { public_key: key, ...counts } = JSON.parse(made.stdout);
  expect(counts).toMatchObject({ agents: 1, trusting: 0, behind_count: 1, cut_off: 0 });
  expect((await agent.event('trusts')).detail).toContain(key);
  await eventually(async () => expect(await keyKnown()).toBe(key));
  expect(await keyOnDisk()).toBe(key);
  expect(await status()).toMatchObject({ public_key: key, agents: 1, trusting: 1, behind: [] });
  expect(await isLinked()).toBe(true);

  const retired = await rotateLink('--retire', '--json');
  expect(retired.code).toBe(0);
  expect(JSON.parse(retired.stdout).retired).toEqual([old]);
  relay.cut();
  await agent.event('redialling');
  await agent.event('connected');
  const events = await sqlAt<{ action: string; after: object }>(
    kit.url,
    'select action, after from host_audit_event order by id',
  );
  expect(events).toEqual([
    { action: 'keys rotate-link', after: { public_key: key } },
    { action: 'keys rotate-link --retire', after: { retired: [old], forced: false } },
  ]);
});

test('an agent that was away while the key changed twice follows at its next link', async () => {
  await rotated();
  const key = await rotated();
  agent = startAgent(home);
  expect((await agent.event('trusts')).detail).toContain(key);
  await eventually(async () => expect(await keyKnown()).toBe(key));
  expect(await keyOnDisk()).toBe(key);
});

test('an agent that is killed after it stored the key, and before its answer arrives, trusts the new one', async () => {
  agent = await startLinked();
  const stored = readFileSync(join(home, 'identity.sealed'));
  relay.holdFromAgent();
  const key = await rotated();
  await eventually(() =>
    expect(readFileSync(join(home, 'identity.sealed')).equals(stored)).toBe(false),
  );
  await agent.stop('SIGKILL');
  expect(await keyKnown()).not.toBe(key);
  relay.cut();
  agent = startAgent(home);
  await agent.event('connected');
  await eventually(async () => expect(await keyKnown()).toBe(key));
  expect((await rotateLink('--retire')).code).toBe(0);
});

test('an agent that is killed before it reads the frame follows when it is started again', async () => {
  agent = await startLinked();
  relay.holdToAgent();
  const old = await keyOnDisk();
  const key = await rotated();
  await relay.held();
  await agent.stop('SIGKILL');
  expect(await keyOnDisk()).toBe(old);
  relay.cut();
  agent = startAgent(home);
  expect((await agent.event('trusts')).detail).toContain(key);
  await eventually(async () => expect(await keyKnown()).toBe(key));
});

test('retiring names the agents that would be cut off; by force it is done, and they are told what to do', async () => {
  const key = await rotated();
  const refused = await rotateLink('--retire');
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain(agentId);
  expect(refused.stdout).toMatch(/--force/);
  const asJson = await rotateLink('--retire', '--json');
  expect(asJson.code).toBe(1);
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    retired: [],
    behind_count: 1,
    behind: [{ id: agentId, tenant_id: tenantId, seen_at: null }],
  });
  expect(await keyKnown()).not.toBe(key);

  const forced = await rotateLink('--retire', '--force', '--json');
  expect(forced.code).toBe(0);
  expect(JSON.parse(forced.stdout)).toMatchObject({ agents: 1, trusting: 0, cut_off: 1 });
  const ran = await runAgent(home, ['run', '--json']);
  expect(ran.code).toBe(2);
  expect(JSON.parse(ran.stdout.trim().split('\n').at(-1)!).error).toMatchObject({
    code: 'ERR_DRAWBRIDGE_2005',
    cause: expect.stringContaining('no longer has the key'),
    next: expect.stringContaining('drawbridge enroll --replace'),
  });
  agentId = await enrolAgent('--replace');
  expect(await keyOnDisk()).toBe(key);
  agent = startAgent(home);
  await agent.event('connected');
});

test.each([['--force'], ['--status', '--retire']])(
  'keys rotate-link %s is refused as wrong use, and no key is made',
  async (...args) => {
    const { code, stderr } = await rotateLink(...args);
    expect(code).toBe(1);
    expect(stderr).toMatch(/--retire/);
    expect(await sqlAt(kit.url, 'select from control_plane_identity')).toHaveLength(1);
  },
);

test('keys rotate-link --help shows examples', async () => {
  const { stdout } = await rotateLink('--help');
  expect(stdout).toContain('$ npm run control-plane -- keys rotate-link --retire');
});
