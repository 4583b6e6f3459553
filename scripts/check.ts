/** `npm run check`: all checks that do not run the product, with the time of each. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const steps: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['format and lint', 'biome', 'check', '--error-on-warnings', '.'],
  ['types', 'tsc', '-p', '.'],
  ['types of the console', 'tsc', '-p', 'control-plane/console'],
  ['dead code and dependencies', 'knip', '--no-progress'],
  ['architecture', 'vitest', 'run', 'test/architecture.test.ts'],
  ['generated files', process.execPath, 'scripts/write.ts', '--check'],
];

const results = steps.map(([name, command, ...args]) => {
  const path = command === process.execPath ? command : `${root}node_modules/.bin/${command}`;
  const begun = performance.now();
  const { status, stdout, stderr } = spawnSync(path, args, { cwd: root, encoding: 'utf8' });
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  if (status !== 0) process.stdout.write(`\n${stdout}${stderr}\n`);
  const line = `${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)\n`;
  process.stdout.write(line);
  return status === 0;
});
process.exitCode = results.every(Boolean) ? 0 : 1;
