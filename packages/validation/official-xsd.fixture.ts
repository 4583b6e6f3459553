import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PrintedXsd } from '@drawbridge/binding/schema/profile-xsd.ts';
import { authority } from '@drawbridge/rules/rule-coverage.suite.ts';

/** OASIS's own schema of a document type, from the authorities' artefacts. */
export function officialXsd(root: string): PrintedXsd {
  const folder = join(authority, 'ubl-2.1-xsd');
  const common = readdirSync(join(folder, 'common')).map((file): [string, string] => [
    file,
    readFileSync(join(folder, 'common', file), 'utf8'),
  ]);
  const main = readFileSync(join(folder, 'maindoc', `UBL-${root}-2.1.xsd`), 'utf8');
  return { main: main.replaceAll('../common/', ''), imports: Object.fromEntries(common) };
}
