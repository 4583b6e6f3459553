/**
 * Makes each kind in a copy of the repository: the written files type-check, the contract suite
 * fails only with "not written yet", and of the existing files only the registry changes.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const slowMs = 600_000;

const kinds = [
  ['country', 'pint-xx', 'packages/profiles', 'profile.test.ts'],
  ['connector', 'odoo', 'connectors', 'connector.test.ts'],
  ['preset', 'acme-books', 'connectors/presets', 'preset.test.ts'],
  ['channel', 'acme-sms', 'control-plane/channels', 'adapter.test.ts'],
  ['authority', 'acme', 'control-plane/authorities', 'adapter.test.ts'],
] as const;

const parent = mkdtempSync(join(tmpdir(), 'drawbridge-new-'));
const copy = join(parent, 'repository');

beforeAll(() => {
  for (const file of git(root, 'ls-files', '--cached', '--others', '--exclude-standard')) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  linkModules();
  // It has packages of its own, of other versions.
  const nested = 'scripts/write/api-types/node_modules';
  symlinkSync(join(root, nested), join(copy, nested));
  git(copy, 'init', '--quiet');
  git(copy, 'add', '--all');
}, slowMs);

afterAll(() => rmSync(parent, { recursive: true }));

describe('npm run new', () => {
  test.each(kinds)(
    'a new %s is one folder and one entry',
    (kind, name, folder, suite) => {
      const made = run('new', kind, name);
      expect(made, made.output).toMatchObject({ status: 0 });
      expect(git(copy, 'diff', '--name-only')).toEqual([`${folder}/registry.ts`]);
      const written = git(copy, 'ls-files', '--others', '--exclude-standard');
      expect(written.filter((file) => !file.startsWith(`${folder}/${name}/`))).toEqual([]);
      expect(written).toContain(`${folder}/${name}/${suite}`);
      git(copy, 'add', '--all');
    },
    slowMs,
  );

  test(
    'what is written type-checks',
    async () => {
      const { status, output } = outcomeOf('tsc', '-p', '.');
      expect(output).toBe('');
      expect(status).toBe(0);
    },
    slowMs,
  );

  test(
    'the suite of each fails only at what is not written yet',
    () => {
      const suites = kinds.map(([, name, folder, suite]) => `${folder}/${name}/${suite}`);
      const ran = testsOf(suites);
      expect([...ran.keys()].sort()).toEqual([...suites].sort());
      for (const [suite, tests] of ran) {
        const failures = tests.filter(({ status }) => status === 'failed');
        expect(tests.filter(({ status }) => status === 'passed').length, suite).toBeGreaterThan(0);
        expect(failures.length, suite).toBeGreaterThan(0);
        for (const { fullName, failureMessages } of failures) {
          expect(failureMessages.join('\n'), fullName).toContain('not written yet');
        }
      }
    },
    slowMs,
  );

  test.each([
    [['connector', 'sqlite'], 'connectors/sqlite is there already.'],
    [['connector', 'Odoo'], '"Odoo" is no name: lower-case letters and digits'],
    [['connector', '../odoo'], '"../odoo" is no name'],
    [['channel', 'import'], '"import" would be called import in the code'],
    [['channel', 'entries'], '"entries" would be called entries in the code'],
    [['planet', 'mars'], 'usage: npm run new -- country|connector|preset|channel|authority NAME'],
    [['country'], 'usage: npm run new'],
    [['authority', 'a', 'b'], 'usage: npm run new'],
  ])('%j is refused in words, and nothing is written', (words, reason) => {
    const { status, output } = run('new', ...words);
    expect(status).toBe(2);
    expect(output).toContain(reason);
    expect(git(copy, 'diff', '--name-only')).toEqual([]);
    expect(git(copy, 'ls-files', '--others', '--exclude-standard')).toEqual([]);
  });
});

/** Links the installed packages; those of the workspace are the copy's own. */
function linkModules(): void {
  const installed = join(root, 'node_modules');
  const modules = join(copy, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(installed)) {
    if (name === '@drawbridge')
      cpSync(join(installed, name), join(modules, name), {
        recursive: true,
        verbatimSymlinks: true,
      });
    else if (!/^\.(?!bin$)/.test(name)) symlinkSync(join(installed, name), join(modules, name));
  }
}

function git(folder: string, ...words: readonly string[]): readonly string[] {
  const { status, stdout, stderr } = spawnSync('git', words, { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout.split('\n').filter((line) => line !== '');
}

function run(script: string, ...words: readonly string[]) {
  return outcomeOf(process.execPath, `scripts/${script}.ts`, ...words);
}

function outcomeOf(command: string, ...words: readonly string[]) {
  const path = command === process.execPath ? command : join(copy, 'node_modules/.bin', command);
  const { status, stdout, stderr } = spawnSync(path, words, { cwd: copy, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

interface TestResult {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

/** Runs files of tests in the copy, without the suite's global set-up; their tests by file. */
function testsOf(files: readonly string[]): ReadonlyMap<string, readonly TestResult[]> {
  const config = join(parent, 'vitest.config.mjs');
  writeFileSync(config, `export default { test: { include: ${JSON.stringify(files)} } };`);
  const output = join(parent, 'report.json');
  const words = ['run', '--root', copy, '--config', config, '--reporter', 'json'];
  outcomeOf('vitest', ...words, '--outputFile', output);
  const report = JSON.parse(readFileSync(output, 'utf8')) as {
    testResults: { name: string; assertionResults: TestResult[] }[];
  };
  return new Map(
    report.testResults.map(({ name, assertionResults }) => [
      relative(copy, name),
      assertionResults,
    ]),
  );
}
