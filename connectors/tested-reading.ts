import type { Connector, TestOutcome } from './contract.ts';

const readMax = 3;

/**
 * Tests a source, and reads the newest documents: settings that log in may still name a query that does not
 * run, or a column that is not there. It fails where none of them can be read; one that can is enough, as a
 * single file may be broken.
 */
export async function testReading(connector: Connector, signal: AbortSignal): Promise<TestOutcome> {
  const tested = await connector.test(signal);
  if (tested.kind === 'failed') return tested;
  const refs = tested.sampleRefs.slice(0, readMax);
  const read = refs.length === 0 ? [] : await connector.readMany(refs, signal);
  const faults = read.flatMap((one) => ('fault' in one ? [one.fault] : []));
  const [fault] = faults;
  return fault === undefined || faults.length < read.length ? tested : { kind: 'failed', fault };
}
