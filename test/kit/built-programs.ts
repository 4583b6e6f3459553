/** Where a source starts a program of ours, the built one is started: in the build itself, and in what vitest loads. */
import { dirname, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { buildVariable, builtFile, programs } from './programs.ts';

/** A plugin of vitest: threads and processes that tests start by our modules come from the build. */
export function builtPrograms(): Plugin {
  return {
    name: 'built-programs',
    enforce: 'pre',
    // Vitest keeps what is transformed for later runs, whose build is in another folder.
    transform: (source, path) =>
      withBuiltPrograms(source, path, `\${process.env.${buildVariable}}`),
  };
}

const startedUrl = /new URL\('(\.\/[\w-]+\.ts)', import\.meta\.url\)/g;
const startedPath = /join\(import\.meta\.dirname, '([\w-]+\.ts)'\)/g;

/**
 * The source of a path, with the programs of a build in the place of those that it names beside itself.
 * The folder of the build stands in a template literal.
 */
export function withBuiltPrograms(source: string, path: string, folder: string): string {
  const started = (given: string, name: string, write: (file: string) => string) => {
    const file = resolve(dirname(path), name);
    return programs.includes(file) ? write(builtFile(folder, file)) : given;
  };
  return source
    .replaceAll(startedUrl, (given, name) =>
      started(given, name, (file) => `new URL(\`file://${file}\`)`),
    )
    .replaceAll(startedPath, (given, name) => started(given, name, (file) => `\`${file}\``));
}
