/** The agent as it is installed: one file, built here, and nothing else on its host. */
import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newTenant, startNode } from '../../control-plane/agents/node.fixture.ts';
import { runAgent, startAgent } from '../../test/kit/agent-process.ts';
import { startDb } from '../../test/kit/postgres.ts';
import { makeAgentScripts } from './agent-scripts.ts';
import { makeExecutable } from './executable.ts';

const run = promisify(execFile);
const canBuild = process.platform === 'linux' && process.arch === 'x64';
const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

let folder: string;
let executable: string;

beforeAll(async () => {
  if (!canBuild) return;
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-executable-'));
  chmodSync(folder, 0o755);
  executable = join(folder, 'drawbridge');
  const scripts = await makeAgentScripts();
  await makeExecutable({ platform: 'linux-x64', scripts, outfile: executable });
}, 120_000);
afterAll(() => canBuild && rmSync(folder, { recursive: true }));

/** A command of the executable, with these environment variables and no others. */
async function outputOf(args: readonly string[], env: Record<string, string> = {}) {
  const { stdout } = await run(executable, args, { env, cwd: folder });
  return stdout;
}

// Without Linux on x64 there is nothing to run.
describe('one file', { skip: !canBuild }, () => {
  test('tells its version and its commands without an environment', async () => {
    expect(await outputOf(['--version'])).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await outputOf(['--help'])).toContain('enroll');
    expect(await outputOf(['connector', '--help'])).toContain('drawbridge connector');
  });

  test('the rules are inside: a document is judged, and a rule explained', async () => {
    const judged = run(executable, ['validate', '-', '--profile', 'BIS-3.0', '--json'], {
      env: {},
    });
    judged.child.stdin!.end('{"lines": []}');
    const { stdout } = await judged.catch((error: { stdout: string }) => error);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'failed', schema: 'failed' });
    expect(await outputOf(['explain', 'BIS-3.0-BR-CO-15'])).toContain('Why');
  });

  test('nothing beside it is loaded, and no option of Node reaches it', async () => {
    for (const name of ['bufferutil', 'pg-native']) {
      const beside = join(folder, 'node_modules', name);
      mkdirSync(beside, { recursive: true });
      writeFileSync(join(beside, 'index.js'), 'process.stdout.write("loaded")');
    }
    writeFileSync(join(folder, 'first.cjs'), 'process.stdout.write("loaded")');
    const env = { NODE_OPTIONS: `--require ${join(folder, 'first.cjs')}`, NODE_PATH: folder };
    expect(await outputOf(['run', '--help'], env)).not.toContain('loaded');
  });

  test('what it asks of the system is in RHEL 9, Debian 12 and Ubuntu 22.04', () => {
    const versions = readFileSync(executable, 'latin1').matchAll(/GLIBC_2\.(\d+)/g);
    expect(Math.max(...[...versions].map(([, minor]) => Number(minor)))).toBeLessThanOrEqual(34);
  });

  test('enrols, serves a SQLite source, stops and starts again', async () => {
    const kit = await startDb();
    const node = await startNode(kit);
    const home = join(folder, 'home');
    const env = { DRAWBRIDGE_FILE_ROOTS: folder };
    const program = [executable] as const;
    try {
      const tenantId = await newTenant(kit, randomUUID());
      const { body } = await node.request('POST', '/v1/agents/enrolment-tokens', tenantId, {});
      const enrol = ['enroll', '--url', node.url, '--json'];
      const enrolled = await runAgent(home, enrol, { input: body.token, program });
      expect(enrolled).toMatchObject({ code: 0, stderr: '' });
      const file = join(folder, 'erp.db');
      new Database(file)
        .exec(`create table invoice (number text primary key);
        insert into invoice values ('INV-1')`)
        .close();
      const header = { table: 'invoice', key: 'number', match: 'number' };
      const settings = join(folder, 'erp.json');
      writeFileSync(settings, JSON.stringify({ file, sections: { header } }));
      const add = ['connector', 'add', 'sqlite', '--name', 'erp', '--settings-file', settings];
      expect(await runAgent(home, add, { env, program })).toMatchObject({ code: 0 });
      const agentId = JSON.parse(enrolled.stdout).agent_id;
      for (const ref of ['INV-1', 'INV-2']) {
        const agent = startAgent(home, env, program);
        await agent.event('connected');
        // With rules, schemas and drivers read that nobody asked for it is nearly 60.
        if (ref === 'INV-1') expect(ownMegabytesOf(agent.pid)).toBeLessThan(48);
        const params = { connector: 'erp', ref };
        const call = node.hub.call({ tenantId, agentId }, 'connector.read', params, {
          deadlineMs: 25_000,
        });
        const kind = ref === 'INV-1' ? 'found' : 'missing';
        expect(await call).toMatchObject({ kind: 'answered', result: { kind } });
        expect(await agent.stop('SIGTERM')).toBe(0);
      }
    } finally {
      await node.close();
      await kit.stop();
    }
  }, 60_000);

  // Only root can become another user, and change the root folder.
  describe('without rights', { skip: !isRoot }, () => {
    test('a user without a home reads a SQLite file', async () => {
      const own = mkdtempSync(join(folder, 'own-'));
      const file = join(own, 'erp.db');
      new Database(file).exec('create table invoice (number text primary key)').close();
      const header = { table: 'invoice', key: 'number', match: 'number' };
      writeFileSync(join(own, 'erp.json'), JSON.stringify({ file, sections: { header } }));
      for (const path of [own, file]) chownSync(path, nobody, nobody);
      const env = { DRAWBRIDGE_AGENT_HOME: join(own, 'home'), DRAWBRIDGE_FILE_ROOTS: own };
      const ask = (...args: string[]) => run(executable, args, { uid: nobody, gid: nobody, env });
      const settings = ['--settings-file', join(own, 'erp.json')];
      await ask('connector', 'add', 'sqlite', '--name', 'erp', ...settings);
      expect((await ask('connector', 'test', 'erp')).stdout).toContain('erp');
    });

    test('an empty root without a network has rules and explanations', async () => {
      const root = join(folder, 'root');
      for (const file of librariesOf(executable)) {
        mkdirSync(join(root, dirname(file)), { recursive: true });
        copyFileSync(file, join(root, file));
      }
      copyFileSync(executable, join(root, 'drawbridge'));
      const inside = ['-n', 'chroot', root, '/drawbridge'];
      const ask = (...args: string[]) =>
        run('unshare', [...inside, ...args], { env: { PATH: process.env.PATH } });
      expect((await ask('--version')).stdout).toMatch(/^\d/);
      expect((await ask('explain', 'BIS-3.0-BR-CO-15')).stdout).toContain('Why');
      const status = await ask('status', '--json').catch((error: { stdout: string }) => error);
      expect(JSON.parse(status.stdout)).toHaveProperty('error');
    });
  });
});

/** Memory of a process that no file backs. */
function ownMegabytesOf(pid: number): number {
  const [, kibibytes] = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return (Number(kibibytes) * 1_024) / 1e6;
}

/** The shared libraries that the system loads with a program, and its loader. */
function librariesOf(program: string): string[] {
  const lines = execFileSync('ldd', [program], { encoding: 'utf8' });
  return [...lines.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path!);
}
