/**
 * Tries the properties of reading, writing and stage 1 on far more random input than the suite does: `npm run fuzz --
 * [--factor N] [--seed N]`. The seed is printed, so that what it finds can be found again.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A property may take this long, instead of what the suite allows. */
const timeoutMs = 3_600_000;

const { values } = parseArgs({
  options: {
    factor: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
console.log(`fuzzing with --seed ${values.seed} --factor ${values.factor}`);
const { status } = spawnSync(
  `${root}node_modules/.bin/vitest`,
  ['run', 'packages/binding', 'packages/validation', '--testTimeout', String(timeoutMs)],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FUZZ_SEED: values.seed, FUZZ_FACTOR: values.factor },
  },
);
process.exitCode = status ?? 1;
