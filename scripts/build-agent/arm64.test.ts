/**
 * The agent for 64-bit ARM, under QEMU's emulation of that processor. A child of it cannot be started there, so
 * the connectors that have one (SQLite files) are not tried; the queue is a SQLite file too.
 */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newTenant, startNode } from '../../control-plane/agents/node.fixture.ts';
import { runAgent } from '../../test/kit/agent-process.ts';
import { startDb } from '../../test/kit/postgres.ts';
import { makeAgentScripts } from './agent-scripts.ts';
import { makeExecutable } from './executable.ts';

const libraries = '/usr/aarch64-linux-gnu';
const obstacle = missing();
const limitMs = 600_000;
let folder: string;
let program: readonly [string, ...string[]];

function missing(): string | undefined {
  if (spawnSync('qemu-aarch64', ['--version']).error) return 'qemu-user is not installed';
  const hasLibraries = existsSync(join(libraries, 'lib/libstdc++.so.6'));
  return hasLibraries ? undefined : 'libstdc++6-arm64-cross is not installed';
}

beforeAll(async () => {
  if (obstacle !== undefined) return;
  folder = await mkdtemp(join(tmpdir(), 'drawbridge-arm64-'));
  const outfile = join(folder, 'drawbridge');
  await makeExecutable({ platform: 'linux-arm64', scripts: await makeAgentScripts(), outfile });
  program = ['qemu-aarch64', '-L', libraries, outfile];
}, limitMs);
afterAll(() => folder && rm(folder, { recursive: true }));

test('it starts, judges a document, enrols, and opens its queue', {
  timeout: limitMs,
}, async (context) => {
  if (obstacle !== undefined) context.skip(obstacle);
  const home = join(folder, 'home');
  const env = { XDG_CACHE_HOME: folder };
  const ask = (args: string[], input = '') => runAgent(home, args, { program, env, input });
  expect((await ask(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);

  const document = join(folder, 'invoice.json');
  await writeFile(document, '{"lines": []}');
  const judged = await ask(['validate', document, '--profile', 'BIS-3.0', '--json']);
  expect(judged.code).toBe(3);
  expect(JSON.parse(judged.stdout)).toMatchObject({ status: 'failed', schema: 'failed' });

  const kit = await startDb();
  const node = await startNode(kit);
  try {
    const tenantId = await newTenant(kit, randomUUID());
    const { body } = await node.request('POST', '/v1/agents/enrolment-tokens', tenantId, {});
    const enrolled = await ask(['enroll', '--url', node.url, '--json'], body.token);
    expect(enrolled).toMatchObject({ code: 0, stderr: '' });
    const status = await ask(['status', '--json']);
    expect(JSON.parse(status.stdout)).toMatchObject({ url: node.url, pending_commands: 0 });
  } finally {
    await node.close();
    await kit.stop();
  }
});
