import type { Connector } from '@drawbridge/connectors/contract.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';

const readTimeoutMs = 20_000;

/** The newest documents of a source, at most `count`; none when it does not answer now. */
export async function newestDocuments(
  connector: Connector,
  count: number,
): Promise<readonly SourceDocument[]> {
  const signal = AbortSignal.timeout(readTimeoutMs);
  const test = await connector.test(signal);
  const refs = test.kind === 'ok' ? test.sampleRefs.slice(0, count) : [];
  const outcomes = await connector.readMany(refs, signal);
  return outcomes.flatMap((outcome) => (outcome.kind === 'found' ? [outcome.document] : []));
}
