/** Upgrades of the installed executable, from one signed release to another. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { manifestFile, signatureFile } from '@drawbridge/release/file-names.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAgent } from '../../test/kit/agent-process.ts';
import { addLibraries, installTools, makeEmptyRoot } from '../../test/kit/empty-root.ts';
import { releaseUnavailable, type TestRelease, testRelease } from '../../test/kit/release.ts';

const run = promisify(execFile);
const buildMs = 900_000;
const missing = await releaseUnavailable();

let work: string;
let oldRelease: TestRelease;
let newRelease: TestRelease;

beforeAll(async () => {
  if (missing !== undefined) return;
  work = await mkdtemp(join(tmpdir(), 'drawbridge-upgrade-'));
  oldRelease = await testRelease('0.1.0', 'whole');
  newRelease = await testRelease('0.2.0');
}, buildMs);
afterAll(() => work && rm(work, { recursive: true }));

interface Installed {
  readonly bin: string;
  readonly executable: string;
  readonly home: string;
}

/** The old release, installed by its script into a folder of its own. */
async function install(): Promise<Installed> {
  const prefix = await mkdtemp(join(work, 'prefix-'));
  await run(join(oldRelease.folder, 'install.sh'), ['--prefix', prefix]);
  const bin = join(prefix, 'bin');
  return { bin, executable: join(bin, 'drawbridge'), home: join(prefix, 'home') };
}

function ask({ executable, home }: Installed, ...args: string[]) {
  return runAgent(home, args, { program: [executable] });
}

async function versionOf(installed: Installed): Promise<string> {
  return (await ask(installed, '--version')).stdout.trim();
}

describe.skipIf(missing !== undefined)('upgrade', { timeout: 120_000 }, () => {
  test('puts a newer release in place, remembers the old one, and goes back when asked', async () => {
    const installed = await install();
    const upgraded = await ask(installed, 'upgrade', '--file', newRelease.folder, '--json');
    expect(upgraded).toMatchObject({ code: 11, stderr: '' });
    expect(JSON.parse(upgraded.stdout)).toEqual({ from: '0.1.0', to: '0.2.0' });
    expect(await versionOf(installed)).toBe('0.2.0');
    expect((await ask(installed, 'verify')).code).toBe(0);
    expect(await ask(installed, 'upgrade', '--file', newRelease.folder)).toMatchObject({ code: 0 });
    expect(await ask(installed, 'upgrade', '--rollback')).toMatchObject({ code: 0 });
    expect(await versionOf(installed)).toBe('0.1.0');
    expect((await ask(installed, 'verify')).code).toBe(0);
    expect(await ask(installed, 'upgrade', '--file', newRelease.folder)).toMatchObject({
      code: 11,
    });
  });

  test('takes a release from a web address', async () => {
    const installed = await install();
    const server = createServer((request, response) => {
      readFile(join(newRelease.folder, request.url!.replace('/release/', ''))).then(
        (bytes) => response.end(bytes),
        () => response.writeHead(404).end(),
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/release/`;
    expect(await ask(installed, 'upgrade', '--url', url)).toMatchObject({ code: 11 });
    expect(await versionOf(installed)).toBe('0.2.0');
    const absent = await ask(installed, 'upgrade', '--url', `${url}absent`);
    expect(absent).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no http') });
    server.close();
  });

  /** A copy of the new release, whose files may be changed. */
  async function copyOfNew(): Promise<string> {
    const folder = await mkdtemp(join(work, 'copy-'));
    await cp(newRelease.folder, folder, { recursive: true });
    return folder;
  }

  test.each([
    ['whose agent was changed', 'drawbridge-linux-x64', 1, '1020'],
    ['whose manifest was changed', 'manifest.json', 1, '1020'],
    ['whose signature was changed', 'manifest.json.sig', 1, '1020'],
  ])('refuses a release %s, and changes nothing', async (_, file, code, number) => {
    const installed = await install();
    const folder = await copyOfNew();
    await writeFile(join(folder, file), ' ', { flag: 'a' });
    const refused = await ask(installed, 'upgrade', '--file', folder, '--json');
    expect(refused).toMatchObject({ code });
    expect(refused.stdout).toContain(`ERR_DRAWBRIDGE_${number}`);
    expect(readdirSync(installed.bin)).toEqual(['drawbridge']);
  });

  /** The new release under a version of its own, signed. */
  async function newReleaseAs(version: string): Promise<string> {
    const folder = await copyOfNew();
    const manifest = JSON.parse(await readFile(join(folder, manifestFile), 'utf8'));
    const text = JSON.stringify({ ...manifest, version });
    await writeFile(join(folder, manifestFile), text);
    const signature = newRelease.key.sign(Buffer.from(text));
    await writeFile(join(folder, signatureFile(manifestFile)), signature);
    return folder;
  }

  test('refuses an older release than it has been, also after a roll back', async () => {
    const installed = await install();
    const refused = { code: 3, stderr: expect.stringContaining('older than 0.2.0') };
    await ask(installed, 'upgrade', '--file', newRelease.folder);
    expect(await ask(installed, 'upgrade', '--file', oldRelease.folder)).toMatchObject(refused);
    await ask(installed, 'upgrade', '--rollback');
    const between = await newReleaseAs('0.1.5');
    expect(await ask(installed, 'upgrade', '--file', between)).toMatchObject(refused);
  });

  test('refuses where a package manager or an image has installed it, and says what to do', async () => {
    const installed = await install();
    const marker = join(installed.bin, '../share/drawbridge/installed-by');
    await writeFile(marker, 'deb\n');
    const refused = await ask(installed, 'upgrade', '--file', newRelease.folder);
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('apt-get install') });
    expect(await versionOf(installed)).toBe('0.1.0');
  });

  test('a home folder that cannot be made is named, and is no defect of the agent', async () => {
    const installed = { ...(await install()), home: '/dev/null/home' };
    expect(await ask(installed, 'run')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('ERR_DRAWBRIDGE_1005 /dev/null/home cannot be used'),
    });
    expect(await ask(installed, 'upgrade', '--file', newRelease.folder)).toMatchObject({
      code: 10,
      stderr: expect.stringContaining('/dev/null/home cannot be written (ENOTDIR)'),
    });
  });

  test('a version that ends before it is well is taken back by itself', async () => {
    const installed = await install();
    await ask(installed, 'upgrade', '--file', newRelease.folder);
    // It is not enrolled: each start ends at once.
    for (let start = 0; start < 3; start += 1) {
      expect(await ask(installed, 'run')).toMatchObject({ code: 2 });
    }
    expect(await versionOf(installed)).toBe('0.2.0');
    const told = JSON.parse((await ask(installed, 'doctor', '--json')).stdout);
    expect(told.findings).toContainEqual(
      expect.objectContaining({
        code: 'upgrade_on_trial',
        detail: expect.stringContaining('3 of 3 times, and 0.1.0 is installed again'),
      }),
    );
    const undone = await ask(installed, 'run');
    expect(undone).toMatchObject({
      code: 10,
      stderr: expect.stringContaining('0.1.0 is installed'),
    });
    expect(await versionOf(installed)).toBe('0.1.0');
    expect(await ask(installed, 'run')).toMatchObject({ code: 2 });
    expect(readdirSync(installed.bin)).toEqual(['drawbridge']);
  });

  // As a host with systemd, but for systemctl itself, which only notes what it is asked.
  test.skipIf(process.getuid?.() !== 0)(
    'restarts the service, and goes back when that is not ready',
    async () => {
      const host = await makeEmptyRoot(await mkdtemp(join(work, 'host-')), [
        ...installTools,
        'openssl',
      ]);
      await addLibraries(host.path, join(oldRelease.folder, 'drawbridge-linux-x64'));
      for (const [release, name] of [
        [oldRelease, 'old'],
        [newRelease, 'new'],
      ] as const) {
        await cp(release.folder, join(host.path, name), { recursive: true });
      }
      const systemctl =
        '#!/bin/sh\necho "$@" >>/root/asked\n[ "$1" != restart ] || [ ! -e /root/not-ready ]\n';
      await writeFile(join(host.path, 'bin/systemctl'), systemctl, { mode: 0o755 });
      await mkdir(join(host.path, 'etc/systemd/system'), { recursive: true });
      await writeFile(join(host.path, 'etc/systemd/system/drawbridge.service'), '');
      const inside = (...command: string[]) => {
        const [enter, ...args] = [...host.enter, ...command];
        const env = { PATH: '/bin', HOME: '/root' };
        return run(enter, args, { env }).then(
          () => 0,
          ({ code }: { code: number }) => code,
        );
      };
      const agent = '/usr/local/bin/drawbridge';
      expect(await inside('/bin/sh', '/old/install.sh')).toBe(0);
      await writeFile(join(host.path, 'root/not-ready'), '');
      expect(await inside(agent, 'upgrade', '--file', '/new')).toBe(10);
      expect(await versionOf({ executable: join(host.path, agent), home: work, bin: '' })).toBe(
        '0.1.0',
      );
      await rm(join(host.path, 'root/not-ready'));
      expect(await inside(agent, 'upgrade', '--file', '/new')).toBe(11);
      expect(await versionOf({ executable: join(host.path, agent), home: work, bin: '' })).toBe(
        '0.2.0',
      );
      const asked = await readFile(join(host.path, 'root/asked'), 'utf8');
      expect(asked.match(/^restart drawbridge.service$/gm)).toHaveLength(3);
      expect(
        existsSync(join(host.path, 'var/lib/drawbridge/.drawbridge-agent/versions.json')),
      ).toBe(true);
    },
  );

  // Each is seen in the folder before the next happens; where the machine is too quick, the kill
  // comes a step later, and must do no harm there either.
  const steps: readonly (readonly [string, (installed: Installed) => boolean])[] = [
    [
      'the next executable is being written',
      ({ executable }) => existsSync(`${executable}.new.part`),
    ],
    ['the next executable is whole', ({ executable }) => existsSync(`${executable}.new`)],
    ['the trial is written', ({ executable }) => existsSync(`${executable}.upgrade.json`)],
    ['the old executable is being kept', ({ executable }) => existsSync(`${executable}.old.part`)],
    ['the old executable is kept', ({ executable }) => existsSync(`${executable}.old`)],
    ['the executable is the next one', ({ executable }) => isSwitched(executable)],
  ];

  test.each(steps)(
    'killed when %s, it has one whole executable and can go on',
    async (_, isReached) => {
      const installed = await install();
      const before = statSync(installed.executable).ino;
      inodes.set(installed.executable, before);
      const child = startUpgrade(installed);
      const ended = once(child, 'exit');
      killWhen(child, () => isReached(installed));
      await ended;
      expect(['0.1.0', '0.2.0']).toContain(await versionOf(installed));
      expect((await ask(installed, 'upgrade', '--settle')).code).toBe(0);
      expect((await ask(installed, 'verify')).code).toBe(0);
      expect([0, 11]).toContain(
        (await ask(installed, 'upgrade', '--file', newRelease.folder)).code,
      );
      expect(await versionOf(installed)).toBe('0.2.0');
      expect((await ask(installed, 'upgrade', '--rollback')).code).toBe(0);
      expect(await versionOf(installed)).toBe('0.1.0');
    },
  );

  const inodes = new Map<string, number>();

  function isSwitched(executable: string): boolean {
    return statSync(executable).ino !== inodes.get(executable);
  }

  function startUpgrade({ executable, home }: Installed): ChildProcess {
    const env = { DRAWBRIDGE_AGENT_HOME: home };
    return spawn(executable, ['upgrade', '--file', newRelease.folder], { env, stdio: 'ignore' });
  }

  /** Looks without a pause, because the steps are a millisecond apart. */
  function killWhen(child: ChildProcess, isReached: () => boolean): void {
    const limit = performance.now() + 60_000;
    while (!isReached() && performance.now() < limit && isAlive(child.pid!));
    child.kill('SIGKILL');
  }

  function isAlive(pid: number): boolean {
    try {
      const [, state] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
      return !state!.startsWith('Z');
    } catch {
      return false;
    }
  }
});
