import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'DECISIONS.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

test.each(documents)('files that %s names exist', (document) => {
  const text = readFileSync(join(root, document), 'utf8');
  const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]+)/g)].map(([, path]) =>
    join(dirname(document), path!),
  );
  // A path with a placeholder (`<id>`, `…`, `*`) is not a file.
  const paths = [
    ...text.matchAll(/`((?:packages|connectors|agent|control-plane|scripts|test)\/[\w./-]+)`/g),
  ].map(([, path]) => path!);
  expect([...links, ...paths].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test.each([
  ['docs/reliability.md', 30],
  ['docs/agent.md', 20],
] as const)('tests that %s names exist', (document, least) => {
  const text = readFileSync(join(root, document), 'utf8');
  const named = [...text.matchAll(/`([\w/.-]+\.test\.ts)`: ("[^"]+"(?:, "[^"]+")*)/g)].flatMap(
    ([, file, names]) => [...names!.matchAll(/"([^"]+)"/g)].map(([, name]) => [file!, name!]),
  );
  expect(named.length).toBeGreaterThan(least);
  const isThere = ([file, name]: readonly string[]) => {
    const source = readFileSync(join(root, file!), 'utf8');
    return [`'${name}'`, `"${name}"`, `\`${name}\``].some((quoted) => source.includes(quoted));
  };
  expect(named.filter((each) => !isThere(each))).toEqual([]);
});

test('no script hangs on another one by its name, as npm runs none of these here', () => {
  expect(readFileSync(join(root, '.npmrc'), 'utf8')).toContain('ignore-scripts=true');
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const names = Object.keys(scripts);
  const isBeside = (name: string) => names.includes(name.replace(/^(pre|post)/, ''));
  expect(names.filter((name) => /^(pre|post)/.test(name) && isBeside(name))).toEqual([]);
});
