import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

const unexplained = 'no reason given';

/**
 * Lists at the end of a run the skipped tests by reason, and tests that failed before they passed.
 * In CI the run fails when an install step is missing (a reason that says "not installed") or a
 * skip has no reason.
 */
export default class SkippedAndFlakyReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#vitest?.getGlobalTestNamePattern() !== undefined) return; // with `-t` the others are skipped on purpose
    reportFlaky(modules);
    const skipped = new Map<string, TestCase[]>();
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const reason = reasonOf(test);
        skipped.set(reason, [...(skipped.get(reason) ?? []), test]);
      }
    }
    if (skipped.size === 0) return;
    process.stdout.write('\nSkipped\n');
    for (const [reason, tests] of skipped) process.stdout.write(section(reason, tests));
    const unwanted = [...skipped.keys()].filter(
      (reason) => reason === unexplained || reason.includes('not installed'),
    );
    if (!process.env.CI || unwanted.length === 0) return;
    process.stdout.write(`CI must not skip: ${unwanted.join('; ')}\n`);
    process.exitCode = 1;
  }
}

/** Prints tests that passed at their second try, each with the error of the first. */
function reportFlaky(modules: readonly TestModule[]): void {
  const unsteady = modules
    .flatMap((module) => [...module.children.allTests('passed')])
    .filter((test) => test.diagnostic()?.flaky);
  if (unsteady.length === 0) return;
  process.stdout.write('\nUnsteady: failed, and passed when tried again\n');
  for (const test of unsteady) {
    const { errors = [] } = test.result();
    const said = errors.map(({ message }) => `    ${message.split('\n', 1)[0]}\n`).join('');
    process.stdout.write(`  ${test.module.relativeModuleId}: ${test.fullName}\n${said}`);
  }
}

function reasonOf(test: TestCase): string {
  const result = test.result();
  return ('note' in result ? result.note : undefined) ?? unexplained;
}

/** The reason, then each file with the number of its tests; when they are few, with their names. */
function section(reason: string, tests: readonly TestCase[]): string {
  const byFile = Map.groupBy(tests, (test) => test.module.relativeModuleId);
  const lines = [...byFile].map(([file, inFile]) => `    ${file}: ${namesOf(inFile)}\n`);
  return `  ${reason}\n${lines.join('')}`;
}

function namesOf(tests: readonly TestCase[]): string {
  return tests.length === 1 ? tests[0]!.name : `${tests.length} tests`;
}
