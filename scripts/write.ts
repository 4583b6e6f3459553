/**
 * Writes every file that is printed from something else: `npm run write`. With `--check` nothing is
 * written; a file that would change is named, and the exit code is 1.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { invoiceType } from './write/invoice-type.ts';
import { openapi } from './write/openapi.ts';
import { ruleTables } from './write/rule-tables.ts';
import { schemas } from './write/schemas.ts';
import { settings } from './write/settings.ts';
import type { Written } from './write/written.ts';

const writers: readonly (() => Written)[] = [schemas, invoiceType, ruleTables, openapi, settings];

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });

const stale = writers
  .flatMap((writer) => Object.entries(writer()))
  .filter(([path, text]) => textOf(join(root, path)) !== text);
for (const [path, text] of stale) {
  console.log(`${values.check ? 'differs from what "npm run write" prints' : 'written'}: ${path}`);
  if (!values.check) write(join(root, path), text);
}
if (values.check && stale.length > 0) process.exitCode = 1;

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
