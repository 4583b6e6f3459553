import { statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Runs files that have a process of their own before those that share one, since a thread ends where the next file is
 * not its own; of both the largest first, so that no long one is the last.
 */
export default class ProcessesAndLargestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isAlone = ({ project }: TestSpecification) => Number(project.config.isolate);
    const sizes = new Map(files.map((each) => [each, statSync(each.moduleId).size]));
    return files.toSorted((a, b) => isAlone(b) - isAlone(a) || sizes.get(b)! - sizes.get(a)!);
  }
}
