import { statSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Runs large files first, whatever their project: those that wait for processes and browsers run beside those that
 * compute, and no long one is the last. Vitest would run one project after the other.
 */
export default class LargestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sizes = new Map(files.map((each) => [each, statSync(each.moduleId).size]));
    return files.toSorted((a, b) => sizes.get(b)! - sizes.get(a)!);
  }
}
