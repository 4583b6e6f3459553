/** Puts the agent into a copy of Node: Node's own form of a single executable. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { addonAsset, addonHashAsset, codeCacheOf, v8Flags } from '../../agent/executable/assets.ts';
import { hashOfFile } from '../../agent/upgrade/file-hash.ts';
import type { AgentScripts } from './agent-scripts.ts';
import { nodeOf } from './node-of-platform.ts';
import { isThisPlatform, type Platform, partsOf } from './platforms.ts';

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

export interface ExecutableOptions {
  readonly platform: Platform;
  readonly scripts: AgentScripts;
  readonly outfile: string;
}

/** Writes the executable to `outfile`, whole or not at all. */
export async function makeExecutable(options: ExecutableOptions): Promise<void> {
  const { platform, scripts, outfile } = options;
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-build-'));
  try {
    const write = async (name: string, content: string | Buffer) => {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    };
    const blob = join(folder, 'blob');
    const addon = addonOf(platform);
    const config = {
      main: basename(await write('starter.cjs', scripts.starter)), // the whole path would stand inside
      output: blob,
      disableExperimentalSEAWarning: true,
      execArgv: ['--disable-warning=ExperimentalWarning', ...v8Flags],
      execArgvExtension: 'none', // NODE_OPTIONS of the host is not for us
      assets: {
        ...(await partsIn(join(folder, 'parts'), scripts.parts, isThisPlatform(platform))),
        [addonAsset]: addon,
        [addonHashAsset]: await write(addonHashAsset, await hashOfFile(addon)),
      },
    };
    const configFile = await write('config.json', JSON.stringify(config));
    await run(process.execPath, ['--experimental-sea-config', configFile], { cwd: folder });
    const node = join(folder, 'node');
    await copyFile(await nodeOf(platform), node);
    const postject = require.resolve('postject/dist/cli.js');
    await run(process.execPath, [postject, node, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse]);
    // A copy, because what is written in one piece lies in the system's cache in large pages, which recent kernels map
    // whole: the agent would seem to have 20 MB more.
    const part = join(dirname(outfile), `.${platform}.part`);
    await copyFile(node, part);
    await rename(part, outfile);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Writes the parts and, as only their own platform can compile them, their code caches; returns paths by names. */
async function partsIn(
  folder: string,
  parts: ReadonlyMap<string, string>,
  canCompile: boolean,
): Promise<Record<string, string>> {
  await mkdir(folder);
  for (const [name, text] of parts) await writeFile(join(folder, name), text);
  const compiler = join(import.meta.dirname, 'code-cache.ts');
  const args = [...v8Flags, '--random-seed=1', compiler, folder];
  // What the environment says to Node would be in the bytes.
  if (canCompile) await run(process.execPath, args, { env: {} });
  const assets: Record<string, string> = {};
  for (const name of parts.keys()) {
    assets[name] = join(folder, name);
    assets[codeCacheOf(name)] = join(folder, codeCacheOf(name));
    if (!canCompile) await writeFile(join(folder, codeCacheOf(name)), '');
  }
  return assets;
}

function addonOf(platform: Platform): string {
  const manifest = require.resolve('better-sqlite3/package.json');
  return join(dirname(manifest), 'prebuilds', `${partsOf(platform).addon}.node`);
}
