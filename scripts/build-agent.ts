/** `npm run build:agent [platform …]`: the agent as one file for each platform, in dist/. */
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeAgentScripts } from './build-agent/agent-scripts.ts';
import { makeExecutable } from './build-agent/executable.ts';
import { partsOf, platforms } from './build-agent/platforms.ts';

const dist = fileURLToPath(new URL('../dist', import.meta.url));
const named = process.argv.slice(2);
const unknown = named.filter((name) => !platforms.some((platform) => platform === name));
if (unknown.length > 0) {
  process.stderr.write(`${unknown.join(', ')}: the platforms are ${platforms.join(', ')}.\n`);
  process.exit(64);
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
