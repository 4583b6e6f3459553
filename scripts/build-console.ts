/**
 * `npm run build:console`: makes the pages of the console, in `control-plane/console/dist`. With
 * `--if-stale` it does nothing when no source is newer than the last build.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'vite';

const root = fileURLToPath(new URL('../control-plane/console', import.meta.url));
const { values } = parseArgs({ options: { 'if-stale': { type: 'boolean', default: false } } });

if (!values['if-stale'] || isStale()) {
  await build({ root, configFile: join(root, 'vite.config.ts'), logLevel: 'warn' });
}

function isStale(): boolean {
  const builtAt = statSync(join(root, 'dist/index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\/(dist|node_modules)(\/|$)/.test(entry.parentPath))
    .some((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs > builtAt);
}
