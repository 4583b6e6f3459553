/**
 * Tries far more random input than the suite: `npm run fuzz -- [documents|http] [--factor N] [--seed N]`.
 * `documents`, the default, are the properties of reading, writing, stage 1 and the rules; `http` sends
 * requests to every route of both services, made from their schemas. It prints the seed, so that a fault
 * can be found again.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The time limit of a property, which replaces the suite's. */
const timeoutMs = 3_600_000;

const folders: Readonly<Record<string, readonly string[]>> = {
  documents: ['packages/binding', 'packages/validation'],
  http: ['control-plane/fuzz'],
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    factor: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const [area = 'documents'] = positionals;
if (!Object.hasOwn(folders, area)) {
  console.error(`"${area}" cannot be fuzzed; there are: ${Object.keys(folders).join(', ')}`);
  process.exit(2);
}
console.log(`fuzzing ${area} with --seed ${values.seed} --factor ${values.factor}`);
const { status } = spawnSync(
  `${root}node_modules/.bin/vitest`,
  ['run', ...folders[area]!, '--retry', '0', '--testTimeout', String(timeoutMs)],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FUZZ_SEED: values.seed, FUZZ_FACTOR: values.factor },
  },
);
process.exitCode = status ?? 1;
