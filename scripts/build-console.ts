/**
 * `npm run build:console`: makes the pages of the console, in `control-plane/console/dist`. With
 * `--if-stale` it does nothing when no source is newer than the last build.
 */
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'vite';

const root = fileURLToPath(new URL('../control-plane/console', import.meta.url));
const built = join(root, 'dist');
const { values } = parseArgs({ options: { 'if-stale': { type: 'boolean', default: false } } });

if (!values['if-stale'] || isStale()) {
  // Whoever builds under another name, as tests do, would get React's own checks, a third more to load.
  process.env.NODE_ENV = 'production';
  // Built aside and put in its place at once: a server that starts meanwhile finds a whole build.
  const outDir = `${built}-${process.pid}`;
  const configFile = join(root, 'vite.config.ts');
  await build({ root, configFile, logLevel: 'warn', build: { outDir } });
  replaceBuilt(outDir);
}

function isStale(): boolean {
  const builtAt = statSync(join(built, 'index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && !/\/(dist(-\d+(-former)?)?|node_modules)(\/|$)/.test(entry.parentPath),
    )
    .some((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs > builtAt);
}

function replaceBuilt(outDir: string): void {
  const former = `${outDir}-former`;
  try {
    if (existsSync(built)) renameSync(built, former);
    renameSync(outDir, built);
  } catch (error) {
    // Another build of the same sources was quicker.
    if (!existsSync(built)) throw error;
  }
  for (const left of [former, outDir]) rmSync(left, { recursive: true, force: true });
}
