/** Puts the agent into a copy of Node: Node's own form of a single executable. */
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Script } from 'node:vm';
import { addonAsset, agentAsset, codeCacheAsset } from '../../agent/executable/assets.ts';
import type { AgentScripts } from './bundle.ts';
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
    // V8's compiled code is of the platform that builds; it differs in some bytes from build to build.
    const codeCache = isThisPlatform(platform)
      ? new Script(scripts.agent, { filename: agentAsset }).createCachedData()
      : Buffer.alloc(0);
    const config = {
      main: await write('starter.cjs', scripts.starter),
      output: blob,
      disableExperimentalSEAWarning: true,
      execArgv: ['--disable-warning=ExperimentalWarning'],
      execArgvExtension: 'none', // NODE_OPTIONS of the host is not for us
      assets: {
        [agentAsset]: await write(agentAsset, scripts.agent),
        [codeCacheAsset]: await write(codeCacheAsset, codeCache),
        [addonAsset]: addonOf(platform),
      },
    };
    const configFile = await write('config.json', JSON.stringify(config));
    await run(process.execPath, ['--experimental-sea-config', configFile]);
    const node = join(dirname(outfile), `.${platform}.part`);
    await copyFile(await nodeOf(platform), node);
    const postject = require.resolve('postject/dist/cli.js');
    await run(process.execPath, [postject, node, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse]);
    await rename(node, outfile);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function addonOf(platform: Platform): string {
  const manifest = require.resolve('better-sqlite3/package.json');
  return join(dirname(manifest), 'prebuilds', `${partsOf(platform).addon}.node`);
}
