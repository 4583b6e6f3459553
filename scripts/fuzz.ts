/** `npm run fuzz`: tries far more random input than the suite. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { argumentsOf } from './arguments.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The time limit of a property, which replaces the suite's. */
const timeoutMs = 3_600_000;

const folders: Readonly<Record<string, readonly string[]>> = {
  documents: ['packages/binding', 'packages/validation'],
  http: ['control-plane/fuzz'],
};

const usage = `Usage: npm run fuzz -- [documents | http] [--factor N] [--seed N] [--kill-ms N]

  documents    properties of reading, writing, stage 1 and the rules (default)
  http         requests to every route of both services, made from their schemas

  --factor N   how many times as much as the suite tries (default: 20)
  --seed N     repeats a run; each prints its own
  --kill-ms N  http: kills a process of PostgreSQL so often (milliseconds)

Examples:
  $ npm run fuzz -- http --factor 100
  $ npm run fuzz -- http --factor 3 --kill-ms 4000
  $ npm run fuzz -- documents --seed 20261123`;

const { values, positionals } = argumentsOf(usage, {
  options: {
    factor: { type: 'string', default: '20' },
    'kill-ms': { type: 'string', default: '0' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const [area = 'documents'] = positionals;
if (!Object.hasOwn(folders, area)) {
  console.error(`"${area}" cannot be fuzzed.\n\n${usage}`);
  process.exit(2);
}
console.log(`fuzzing ${area} with --seed ${values.seed} --factor ${values.factor}`);
const { status } = spawnSync(
  `${root}node_modules/.bin/vitest`,
  ['run', ...folders[area]!, '--retry', '0', '--testTimeout', String(timeoutMs)],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      FUZZ_SEED: values.seed,
      FUZZ_FACTOR: values.factor,
      FUZZ_KILL_MS: values['kill-ms'],
    },
  },
);
process.exitCode = status ?? 1;
