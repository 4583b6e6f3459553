/**
 * Writes all generated files: `npm run write`. With `--check` it writes nothing, names files that
 * would change, and exits with 1 if there are any. The check starts no database and no browser:
 * `control-plane/migrations/schema.sql` is checked by `write/database-schema.test.ts`, and pictures of
 * the console by fingerprints of what they show. `npm run write -- screenshots` takes all of them anew.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { consoleTypes } from './write/api-types/console-types.ts';
import { clients } from './write/clients.ts';
import { schemaFile } from './write/database-schema.ts';
import { invoiceType } from './write/invoice-type.ts';
import { openapi } from './write/openapi.ts';
import { registeredKinds } from './write/registered-kinds.ts';
import { ruleTables } from './write/rule-tables.ts';
import { schemas } from './write/schemas.ts';
import { fingerprints, takeScreenshots } from './write/screenshots.ts';
import { services } from './write/services.ts';
import { settings } from './write/settings.ts';
import type { Written } from './write/written.ts';

const writers: readonly (() => Written | Promise<Written>)[] = [
  schemas,
  invoiceType,
  ruleTables,
  openapi,
  settings,
  services,
  registeredKinds,
  consoleTypes,
  clients,
];

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean', default: false } },
  allowPositionals: true,
});

let isStale = false;
for (const writer of writers) settle(await writer());
if (values.check) settle(await fingerprints());
else {
  settle(await schemaFile());
  // Last, as pages are built of what was written.
  settle(await takeScreenshots({ isAll: positionals.includes('screenshots') }));
}
if (values.check && isStale) process.exitCode = 1;

/** Writes what differs, or names it. */
function settle(written: Written): void {
  for (const [path, text] of Object.entries(written)) {
    if (textOf(join(root, path)) === text) continue;
    isStale = true;
    console.log(
      `${values.check ? 'differs from the output of "npm run write"' : 'written'}: ${path}`,
    );
    if (!values.check) write(join(root, path), text);
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
