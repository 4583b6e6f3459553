import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

const unexplained = 'no reason given';

/**
 * Names what was skipped at the end, by reason, so that a green run never hides what it did not
 * look at. In CI the run fails when an install step is missing (a reason that says "not installed")
 * or a skip has no reason.
 */
export default class SkipReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#vitest?.getGlobalTestNamePattern() !== undefined) return; // `-t` asked for few
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

function reasonOf(test: TestCase): string {
  const result = test.result();
  return ('note' in result ? result.note : undefined) ?? unexplained;
}

/** The reason, then each file with how many tests it is about; few enough are named. */
function section(reason: string, tests: readonly TestCase[]): string {
  const byFile = Map.groupBy(tests, (test) => test.module.relativeModuleId);
  const lines = [...byFile].map(([file, inFile]) => `    ${file}: ${namesOf(inFile)}\n`);
  return `  ${reason}\n${lines.join('')}`;
}

function namesOf(tests: readonly TestCase[]): string {
  return tests.length === 1 ? tests[0]!.name : `${tests.length} tests`;
}
