/** Vitest's global set-up: builds what tests start as processes. */
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { buildVariable, builtFile, root } from './programs.ts';

/** What is started as a process or a thread. */
const programs = [
  'agent/main.ts',
  'connectors/sqlite/process/program.ts',
  'control-plane/main.ts',
  'control-plane/einvoice/connectors/source-thread/program.ts',
  'control-plane/einvoice/document-checks/thread.ts',
  'control-plane/messaging/contacts/imports/sheet-thread.ts',
  'control-plane/messaging/team-inbox/export/pdf/worker/worker-process.ts',
].map((path) => join(root, path));

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

const startedUrl = /new URL\('(\.\/[\w-]+\.ts)', import\.meta\.url\)/g;
const startedPath = /join\(import\.meta\.dirname, '([\w-]+\.ts)'\)/g;

function placed(source: string, path: string, folder: string): string {
  const program = (name: string) => {
    const file = resolve(dirname(path), name);
    return programs.includes(file) ? builtFile(folder, file) : file;
  };
  return source
    .replaceAll(startedUrl, (_, name) => `new URL('${pathToFileURL(program(name))}')`)
    .replaceAll(startedPath, (_, name) => `'${program(name)}'`)
    .replaceAll('import.meta.dirname', () => `'${dirname(path)}'`)
    .replaceAll('import.meta.url', () => `'${pathToFileURL(path)}'`);
}
