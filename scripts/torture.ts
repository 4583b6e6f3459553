/**
 * `npm run torture [-- bridge|agent|broadcast…]`: runs the crash tests for much longer than the suite
 * does; TORTURE_SECONDS (600) says how long, TORTURE_SEED repeats a run.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const tests: Readonly<Record<string, string>> = {
  bridge: 'test/e2e/crash.test.ts',
  agent: 'test/e2e/agent-torture.test.ts',
  broadcast: 'test/e2e/broadcast-crash.test.ts',
};

process.exitCode = torture(process.argv.slice(2));

function torture(names: readonly string[]): number {
  const unknown = names.filter((name) => !Object.hasOwn(tests, name));
  if (unknown.length > 0) {
    console.error(`no such torture: ${unknown.join(', ')}; there are ${Object.keys(tests)}`);
    return 2;
  }
  const wanted = names.length === 0 ? Object.values(tests) : names.map((name) => tests[name]!);
  const { status } = spawnSync('vitest', ['run', ...wanted], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, TORTURE_SECONDS: process.env.TORTURE_SECONDS || '600' },
    stdio: 'inherit',
  });
  return status ?? 1;
}
