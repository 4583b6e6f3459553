/** Outcomes of reading on their way from a thread to the one that serves: large documents in pieces. */
import type { ReadOutcome } from '@drawbridge/connectors/contract.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import { gatherDocument, piecesOf, type SourcePieces } from './source-pieces.ts';
import { sizeOf } from './source-size.ts';

/** Bytes of a document that is copied to the other thread as it is. */
const wholeBytesMax = 16_000;

interface FoundInPieces {
  readonly kind: 'found';
  readonly pieces: SourcePieces;
  readonly xml: string | undefined;
}

/** The outcome, or list of outcomes, with its large documents in pieces. */
export async function inPieces(outcome: unknown): Promise<unknown> {
  if (Array.isArray(outcome)) {
    const outcomes: unknown[] = [];
    for (const each of outcome) outcomes.push(await inPieces(each));
    return outcomes;
  }
  const read = outcome as ReadOutcome | undefined;
  if (read?.kind !== 'found' || sizeOf(read.document) <= wholeBytesMax) return outcome;
  const { document } = read;
  const pieces = await piecesOf(document);
  return { kind: 'found', pieces, xml: document.xml } satisfies FoundInPieces;
}

/** What `inPieces` was given, put together between requests. */
export async function whole(outcome: unknown): Promise<unknown> {
  if (Array.isArray(outcome)) {
    const outcomes: unknown[] = [];
    for (const each of outcome) outcomes.push(await whole(each));
    return outcomes;
  }
  if (typeof outcome !== 'object' || outcome === null || !('pieces' in outcome)) return outcome;
  const { pieces, xml } = outcome as FoundInPieces;
  const gathered = await gatherDocument(pieces);
  const document: SourceDocument = xml === undefined ? gathered : { ...gathered, xml };
  return { kind: 'found', document } satisfies ReadOutcome;
}
