import { createHash } from 'node:crypto';
import type { Connector, ConnectorFault, ReadOutcome } from '@drawbridge/connectors/contract.ts';
import { packDocuments } from '@drawbridge/link/documents.ts';
import { limits } from '@drawbridge/link/limits.ts';
import type { ListedDocument } from '../store/listed-document.ts';
import type { UnreadDocument } from '../store/set-aside.ts';
import type { DocumentBatch, ReadDocument } from '../store/sources.ts';

/** A document with its JSON text; null where the control plane has to ask for it. */
interface DocumentText extends ReadDocument {
  readonly text: string | null;
}

/** What reading some documents came to. */
export interface DocumentsRead {
  readonly documents: readonly DocumentText[];
  /** Refs of those that have gone since they were listed. */
  readonly gone: readonly string[];
  /** Those that the source did not give, perhaps for now. */
  readonly unread: readonly UnreadDocument[];
  /** Why it gave none at all; undefined where it answered for one of them. */
  readonly fault: ConnectorFault | undefined;
}

/** Reads documents, and tells those that could not be read from a source that gave none. */
export async function readDocuments(
  connector: Pick<Connector, 'readMany'>,
  listed: readonly ListedDocument[],
  signal: AbortSignal,
): Promise<DocumentsRead> {
  const refs = listed.map(({ ref }) => ref);
  const outcomes = refs.length === 0 ? [] : await connector.readMany(refs, signal);
  const documents: DocumentText[] = [];
  const gone: string[] = [];
  const unread: UnreadDocument[] = [];
  let fault: ConnectorFault | undefined;
  for (const [index, outcome] of outcomes.entries()) {
    const { ref, version } = listed[index]!;
    if (outcome.kind === 'missing') gone.push(ref);
    else if (outcome.kind === 'unreachable') {
      fault ??= outcome.fault;
      unread.push({ ref, version, detail: outcome.fault.message });
    } else {
      const { whole, sent } = textOf(outcome);
      const hash = createHash('sha256').update(whole).digest('hex');
      documents.push({ ref, version, hash, text: sent });
    }
  }
  const isAnswered = documents.length + gone.length > 0;
  return { documents, gone, unread, fault: isAnswered ? undefined : fault };
}

function textOf(outcome: Extract<ReadOutcome, { kind: 'found' | 'unusable' }>) {
  if (outcome.kind === 'unusable') return { whole: JSON.stringify(outcome.fault.code), sent: null };
  const whole = JSON.stringify(outcome.document);
  return { whole, sent: whole.length > textLengthMax ? null : whole };
}

/** A longer document is asked for by itself, so that it delays no others. */
const textLengthMax = 1_048_576;

/** The documents in as few batches as their size allows. */
export function batchesOf(
  documents: readonly DocumentText[],
  newId: () => string,
): readonly DocumentBatch[] {
  if (documents.length === 0) return [];
  const refs = documents.map(({ ref }) => ref);
  const length = documents.reduce((sum, { text }) => sum + (text?.length ?? 4), 0);
  const isWithinLimits =
    refs.length <= limits.pageRefsMax &&
    Buffer.byteLength(JSON.stringify(refs)) <= limits.batchRefsBytesMax &&
    length <= limits.batchTextBytesMax / 3;
  if (isWithinLimits) {
    const content = packDocuments(documents.map(({ text }) => text));
    if (content.length <= limits.batchBytesMax) return [{ id: newId(), refs, content }];
    if (documents.length === 1) return batchesOf([{ ...documents[0]!, text: null }], newId);
  }
  const half = Math.ceil(documents.length / 2);
  return [
    ...batchesOf(documents.slice(0, half), newId),
    ...batchesOf(documents.slice(half), newId),
  ];
}
