/** `npm run torture`: runs the crash tests for much longer than the suite does. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { argumentsOf } from './arguments.ts';

const tests: Readonly<Record<string, string>> = {
  bridge: 'test/e2e/crash.test.ts',
  agent: 'test/e2e/agent-torture.test.ts',
  broadcast: 'test/e2e/broadcast-crash.test.ts',
};

const usage = `Usage: npm run torture -- [bridge | agent | broadcast …]     (all when none is named)

  bridge      nodes, agents and PostgreSQL are killed while invoices go through
  agent       agent, nodes and PostgreSQL are killed, links cut, disks full, clocks wrong
  broadcast   nodes are killed while broadcasts go, and answers of the provider are lost

Environment:
  TORTURE_SECONDS   how long each goes (default: 600)
  TORTURE_SEED      repeats a run; each prints its own

Examples:
  $ TORTURE_SECONDS=60 npm run torture -- broadcast`;

process.exitCode = torture(argumentsOf(usage, { options: {} }).positionals);

function torture(names: readonly string[]): number {
  const unknown = names.filter((name) => !Object.hasOwn(tests, name));
  if (unknown.length > 0) {
    console.error(`There is no "${unknown.join(', ')}".\n\n${usage}`);
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
