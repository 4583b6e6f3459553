import type { z } from 'zod';
import type { SubmissionOutcome } from './contract.ts';

/**
 * Handles items group by group, one group after the other, and returns the outcomes in the items'
 * order.
 */
export async function inGroups<Item extends object, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
  handle: (group: readonly Item[], key: Key) => Promise<readonly SubmissionOutcome[]>,
): Promise<readonly SubmissionOutcome[]> {
  const outcomes: SubmissionOutcome[] = new Array(items.length);
  const groups = Map.groupBy(items.keys(), (index) => keyOf(items[index]!));
  for (const [key, indexes] of groups) {
    const answers = await handle(
      indexes.map((index) => items[index]!),
      key,
    );
    indexes.forEach((index, position) => {
      outcomes[index] = answers[position]!;
    });
  }
  return outcomes;
}

/**
 * The outcome `misconfigured` for all items, because the endpoint's credentials are not valid. It
 * names the settings, never their values.
 */
export function misconfigured(
  items: readonly unknown[],
  error: z.ZodError,
): readonly SubmissionOutcome[] {
  const names = [...new Set(error.issues.map((issue) => issue.path.join('.') || 'credentials'))];
  const reason = `not set or not valid: ${names.join(', ')}`;
  return items.map(() => ({ kind: 'misconfigured', reason }));
}
