/** What the methods of a connector answer, where it is the same for several kinds. */
import type { Semaphore } from '@drawbridge/concurrency/semaphore.ts';
import type { Connector, ReadOutcome, TestOutcome, Unreachable } from './contract.ts';

/** A test fails where the source is not reached. */
export function testOutcome<Tested extends TestOutcome>(
  tested: Tested | Unreachable,
): Tested | Extract<TestOutcome, { kind: 'failed' }> {
  return tested.kind === 'unreachable' ? { kind: 'failed', fault: tested.fault } : tested;
}

/** Reads the document that `ref` names as one of many. */
export async function readOne(
  connector: Pick<Connector, 'readMany'>,
  ref: string,
  signal: AbortSignal,
): Promise<ReadOutcome> {
  const [outcome] = await connector.readMany([ref], signal);
  return outcome ?? { kind: 'missing' };
}

/** One for each ref: a source that is not reached is so for all of them. */
export function readOutcomes(
  refs: readonly string[],
  read: readonly ReadOutcome[] | Unreachable,
): readonly ReadOutcome[] {
  return 'kind' in read ? refs.map(() => read) : read;
}

/** Reads each as soon as a permit is free. */
export function readInTurn(
  refs: readonly string[],
  permits: Semaphore,
  signal: AbortSignal,
  read: (ref: string) => Promise<ReadOutcome>,
): Promise<readonly ReadOutcome[]> {
  const readWithPermit = async (ref: string): Promise<ReadOutcome> => {
    if (!(await permits.acquire(signal))) return { kind: 'missing' }; // nobody waits any more
    try {
      return await read(ref);
    } finally {
      permits.release();
    }
  };
  return Promise.all(refs.map(readWithPermit));
}
