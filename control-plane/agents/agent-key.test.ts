/** An agent changes its own key, with real agents and a real control plane; killed in between, it loses neither. */
import { randomBytes, randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeReasons } from '@drawbridge/link/close-reasons.ts';
import { agentKeyChange } from '@drawbridge/link/identity-change.ts';
import { sign } from '@drawbridge/link/signature.ts';
import { agentKeyChangeVersion, supported } from '@drawbridge/link/version.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runCommand } from '../../test/kit/agent-commands.ts';
import { type RunningAgent, runAgent, startAgent } from '../../test/kit/agent-process.ts';
import { eventually } from '../../test/kit/eventually.ts';
import { sqlAt, startDb, type TestDb } from '../../test/kit/postgres.ts';
import { type Relay, startRelay } from '../../test/kit/relay.ts';
import { newTenant, startNode, type TestNode } from './node.fixture.ts';
import { dial, newKeys } from './simulator.ts';

vi.setConfig({ testTimeout: 180_000 }); // each test starts several processes

let kit: TestDb;
let node: TestNode;
let relay: Relay;
let folder: string;
let home: string;
let agent: RunningAgent | undefined;
let agentId: string;
let tenantId: string;

beforeEach(async () => {
  kit = await startDb();
  tenantId = await newTenant(kit, randomUUID());
  node = await startNode(kit);
  relay = await startRelay(Number(new URL(node.url).port));
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-agent-key-'));
  home = join(folder, 'home');
  const { body } = await node.request('POST', '/v1/agents/enrolment-tokens', tenantId, {});
  const enrolled = await runCommand(home, ['enroll', '--url', relay.url, '--json'], {
    input: body.token,
  });
  agentId = JSON.parse(enrolled.stdout).agent_id;
});
afterEach(async () => {
  await agent?.stop('SIGKILL');
  agent = undefined;
  await relay.close();
  await node.close();
  await kit.stop();
  rmSync(folder, { recursive: true });
});

async function ask(...args: string[]) {
  const { code, stdout } = await runCommand(home, [...args, '--json']);
  return { code, data: JSON.parse(stdout) };
}

const keys = async () => (await ask('keys', 'show')).data;

/** By which the control plane knows the agent. */
async function known(): Promise<string> {
  const [row] = await sqlAt<{ public_key: string }>(
    kit.url,
    'select public_key from agent where id = $1',
    [agentId],
  );
  return row!.public_key;
}

async function startLinked(env: Record<string, string> = {}, at = home): Promise<RunningAgent> {
  const started = startAgent(at, env);
  await started.event('connected');
  return started;
}

test('a linked agent changes its key when asked, and links with it again', async () => {
  agent = await startLinked();
  const before = await keys();
  expect(before).toMatchObject({ public_key: await known(), next_public_key: null });
  const rotated = await ask('keys', 'rotate');
  expect(rotated).toEqual({
    code: 0,
    data: { state: 'changed', public_key: expect.not.stringContaining(before.public_key) },
  });
  expect(await known()).toBe(rotated.data.public_key);
  expect(await keys()).toMatchObject({
    public_key: rotated.data.public_key,
    next_public_key: null,
  });
  relay.cut();
  await agent.event('redialling');
  await agent.event('connected');
  expect((await ask('keys', 'rotate')).code).toBe(0);
});

test('the key before is fenced: a copy that was made with it is refused, and ends', async () => {
  agent = await startLinked();
  const copy = join(folder, 'copy');
  cpSync(home, copy, { recursive: true, filter: (file) => !file.endsWith('.sock') });
  expect((await ask('keys', 'rotate')).code).toBe(0);
  await agent.stop('SIGTERM');
  const cloned = await runAgent(copy, ['run', '--json']);
  expect(cloned).toMatchObject({ code: 2, stderr: expect.stringContaining('has changed its key') });
  agent = await startLinked();
});

test('killed before its frame arrives, it tells the same key when it is started again', async () => {
  agent = await startLinked();
  const old = await known();
  relay.holdFromAgent();
  const asked = ask('keys', 'rotate').catch(() => undefined); // its agent is killed
  const next = await eventually(async () => {
    const { next_public_key } = await keys();
    expect(next_public_key).not.toBeNull();
    return next_public_key as string;
  });
  await agent.stop('SIGKILL');
  await asked;
  expect(await known()).toBe(old);
  relay.cut();
  agent = await startLinked();
  await eventually(async () => expect(await known()).toBe(next));
  await eventually(async () => {
    expect(await keys()).toMatchObject({ public_key: next, next_public_key: null });
  });
});

test('killed between its frame and the answer, it links with the key that took hold', async () => {
  agent = await startLinked();
  relay.holdToAgent();
  const asked = ask('keys', 'rotate').catch(() => undefined); // its agent is killed
  const old = (await keys()).public_key;
  await eventually(async () => expect(await known()).not.toBe(old));
  await agent.stop('SIGKILL');
  await asked;
  expect(await keys()).toMatchObject({ public_key: old, next_public_key: await known() });
  relay.cut();
  agent = await startLinked();
  await eventually(async () => {
    expect(await keys()).toMatchObject({ public_key: await known(), next_public_key: null });
  });
});

test('a control plane that was restored from a backup before the change knows the key again', async () => {
  agent = await startLinked();
  const old = await known();
  const { public_key: changed } = (await ask('keys', 'rotate')).data;
  await agent.stop('SIGTERM');
  await sqlAt(kit.url, 'update agent set public_key = $1 where id = $2', [old, agentId]);
  agent = startAgent(home);
  await agent.event('key_wound_back');
  await eventually(async () => expect(await known()).toBe(changed));
  await eventually(async () => {
    expect(await keys()).toMatchObject({ public_key: changed, next_public_key: null });
  });
});

test('a key that is old is changed without anybody asking; 0 days mean never', async () => {
  const old = await known();
  agent = startAgent(home, { DRAWBRIDGE_KEY_DAYS: '0' });
  await agent.event('connected');
  await agent.stop('SIGTERM');
  expect(await known()).toBe(old);
  // A clock that is a hundred days ahead.
  const later = join(folder, 'later.mjs');
  writeFileSync(
    later,
    `const RealDate = Date; const ahead = 100 * 86_400_000;
     globalThis.Date = class extends RealDate {
       constructor(...given) { super(...(given.length ? given : [RealDate.now() + ahead])); }
       static now() { return RealDate.now() + ahead; }
     };`,
  );
  agent = startAgent(home, { NODE_OPTIONS: `--import ${later}` });
  await agent.event('key_changed');
  await eventually(async () => expect(await known()).not.toBe(old));
});

describe('the frame', () => {
  const random = (length: number) => randomBytes(length);

  async function linkedAgent(versions = supported) {
    const credentials = await node.enrol(tenantId);
    const peer = await dial(node.linkUrl, credentials, random, { versions });
    const { epoch } = await peer.next('welcome');
    peer.send({ kind: 'ready', epoch });
    const next = newKeys();
    const digest = agentKeyChange(credentials.agentId, credentials.publicKey, next.publicKey);
    const keyOf = async () => {
      const rows = await sqlAt<{ public_key: string }>(
        kit.url,
        'select public_key from agent where id = $1',
        [credentials.agentId],
      );
      return rows[0]!.public_key;
    };
    return { credentials, peer, next, digest, keyOf };
  }

  test('is answered once the key is stored, and again when it comes again', async () => {
    const { peer, next, digest, keyOf } = await linkedAgent();
    const signature = sign(digest, next.secretKey);
    for (let time = 0; time < 2; time += 1) {
      peer.send({ kind: 'key', publicKey: next.publicKey, signature });
      expect(await peer.next('knows')).toEqual({ kind: 'knows', publicKey: next.publicKey });
      expect(await keyOf()).toBe(next.publicKey);
    }
  });

  test('of a key that its sender does not hold ends the session, and changes nothing', async () => {
    const { credentials, peer, next, digest, keyOf } = await linkedAgent();
    const signature = sign(digest, credentials.secretKey);
    peer.send({ kind: 'key', publicKey: next.publicKey, signature });
    expect(await peer.closed).toBe(closeReasons.unsigned_identity.code);
    expect(await keyOf()).toBe(credentials.publicKey);
  });

  test('is not due before its version', async () => {
    const max = agentKeyChangeVersion - 1;
    const { credentials, peer, next, digest, keyOf } = await linkedAgent({ min: 1, max });
    const signature = sign(digest, next.secretKey);
    peer.send({ kind: 'key', publicKey: next.publicKey, signature });
    expect(await peer.closed).toBe(closeReasons.unexpected.code);
    expect(await keyOf()).toBe(credentials.publicKey);
  });

  test('of a session whose place another has taken changes nothing', async () => {
    const { credentials, peer, next, digest, keyOf } = await linkedAgent();
    await sqlAt(kit.url, `update agent set session = 'lnk_newer' where id = $1`, [
      credentials.agentId,
    ]);
    const signature = sign(digest, next.secretKey);
    peer.send({ kind: 'key', publicKey: next.publicKey, signature });
    expect(await peer.closed).toBe(closeReasons.failed.code);
    expect(await keyOf()).toBe(credentials.publicKey);
  });
});
