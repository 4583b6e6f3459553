/** `npm run build:agent`: the agent as one file for each platform, in dist/. */
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { argumentsOf } from './arguments.ts';
import { makeAgentScripts } from './build-agent/agent-scripts.ts';
import { makeExecutable } from './build-agent/executable.ts';
import { partsOf, platforms } from './build-agent/platforms.ts';

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const usage = `Usage: npm run build:agent -- [platform …]     (all when none is named)

  ${platforms.join(', ')}

Examples:
  $ npm run build:agent -- linux-x64`;

const named = argumentsOf(usage, { options: {} }).positionals;
const unknown = named.filter((name) => !platforms.some((platform) => platform === name));
if (unknown.length > 0) {
  console.error(`There is no platform "${unknown.join(', ')}".\n\n${usage}`);
  process.exit(2);
}

await mkdir(dist, { recursive: true });
const scripts = await makeAgentScripts();
for (const platform of platforms) {
  if (named.length > 0 && !named.includes(platform)) continue;
  const outfile = join(dist, partsOf(platform).executable);
  await makeExecutable({ platform, scripts, outfile });
  const megabytes = (await stat(outfile)).size / 1e6;
  process.stdout.write(`${outfile}  ${megabytes.toFixed(0)} MB\n`);
}
