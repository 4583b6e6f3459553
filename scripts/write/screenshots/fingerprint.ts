import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Picture } from './pictures.ts';

const consoleFolder = fileURLToPath(new URL('../../../control-plane/console', import.meta.url));

/** What makes the data, without what it stands on. */
const dataSources = ['world.ts', 'invoices.ts', 'conversations.ts'].map((name) =>
  join(import.meta.dirname, name),
);

/**
 * By which it is known, without a browser, whether a picture may be another than the kept one: what is
 * sent to browsers for its page and what surrounds it, and the data that it shows. Comments, types and
 * forms do not count. What the server says of the same data does not either.
 */
export async function fingerprintOf({ name: _, page, path, ...rest }: Picture): Promise<string> {
  const sources = [
    join(consoleFolder, 'design/base.css'),
    join(consoleFolder, 'shell/shell.tsx'),
    join(consoleFolder, 'pages', page, 'page.tsx'),
    ...dataSources,
  ];
  const hash = createHash('sha256').update(`${path} ${JSON.stringify(rest)}`);
  for (const each of sources) hash.update(await shippedText(each));
  return hash.digest('hex').slice(0, 32);
}

/** A source with all of ours that it imports, as a build makes it. */
export async function shippedText(entry: string): Promise<string> {
  const isBundled = !dataSources.includes(entry);
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: isBundled,
    // Short names would depend on how often letters stand in comments.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    write: false,
    outdir: '/',
    packages: isBundled ? 'external' : 'bundle',
    jsx: 'automatic',
    format: 'esm',
    logLevel: 'silent',
  });
  return outputFiles.map(({ text }) => text).join('\n');
}
