/** Vitest's global set-up: builds what tests start as processes and threads. */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { withBuiltPrograms } from './built-programs.ts';
import { buildVariable, programs, root } from './programs.ts';

export default async function setup(): Promise<() => Promise<void>> {
  await mkdir(join(root, 'dist'), { recursive: true });
  const folder = await mkdtemp(join(root, 'dist/test-programs-')); // packages are found from here
  await build({
    absWorkingDir: root,
    entryPoints: programs,
    outdir: folder,
    outbase: root,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    bundle: true,
    splitting: true,
    keepNames: true, // errors are told by the names of their classes
    plugins: [ourSources(folder)],
  });
  process.env[buildVariable] = folder;
  return () => rm(folder, { recursive: true, force: true });
}

/** Our sources become one; packages stay. What a source finds beside itself is still found there. */
function ourSources(folder: string): Plugin {
  return {
    name: 'our-sources',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
        kind === 'entry-point' || path.startsWith('@drawbridge/') ? null : { external: true },
      );
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const source = await readFile(path, 'utf8');
        return { contents: placed(source, path, folder), loader: 'ts' };
      });
    },
  };
}

function placed(source: string, path: string, folder: string): string {
  return withBuiltPrograms(source, path, folder)
    .replaceAll('import.meta.dirname', () => `'${dirname(path)}'`)
    .replaceAll('import.meta.url', () => `'${pathToFileURL(path)}'`);
}
