import type {
  ColumnDescription,
  Connector,
  ConnectorFault,
} from '@drawbridge/connectors/contract.ts';
import type { Evidence } from '@drawbridge/mapping/infer.ts';
import type { Join } from '@drawbridge/mapping/mapping.ts';

/** What a mapping is proposed from and tried on: the columns of a source and its newest documents. */
export interface SourceSample {
  readonly columns: readonly ColumnDescription[];
  readonly joins: Readonly<Record<string, Join>> | undefined;
  readonly documents: NonNullable<Evidence['documents']>;
  /** Documents that were named and could not be read. */
  readonly unread: readonly { readonly ref: string; readonly fault: ConnectorFault }[];
}

export type SampleOutcome =
  | { readonly kind: 'sampled'; readonly sample: SourceSample }
  | { readonly kind: 'unreachable'; readonly fault: ConnectorFault };

/** Documents that a proposal is made from, and those of a preview. */
export const proposalDocuments = 20;
export const previewDocuments = 50;

/** Documents that are asked for at once. */
const readAtOnce = 10;

/** Reads the columns and at most `count` of the newest documents; fewer where the kind names fewer. */
export async function sampleSource(
  connector: Connector,
  count: number,
  signal: AbortSignal,
): Promise<SampleOutcome> {
  const described = await connector.describe(signal);
  if (described.kind === 'unreachable') return described;
  const test = await connector.test(signal);
  if (test.kind === 'failed') return { kind: 'unreachable', fault: test.fault };
  const refs = test.sampleRefs.slice(0, count);
  const documents: SourceSample['documents'][number][] = [];
  const unread: { ref: string; fault: ConnectorFault }[] = [];
  for (let start = 0; start < refs.length; start += readAtOnce) {
    const part = refs.slice(start, start + readAtOnce);
    const outcomes = await connector.readMany(part, signal);
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.kind === 'unreachable') return outcome;
      if (outcome.kind === 'found') documents.push(outcome.document);
      if (outcome.kind === 'unusable') unread.push({ ref: part[index]!, fault: outcome.fault });
    }
  }
  const { columns, joins } = described;
  return { kind: 'sampled', sample: { columns, joins, documents, unread } };
}
