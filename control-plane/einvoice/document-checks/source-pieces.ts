import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { SourceDocument, SourceRow } from '@drawbridge/records/document.ts';

/** A document in pieces of JSON, as it goes from one thread to another. */
export interface SourcePieces {
  readonly ref: string;
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
}

interface Piece {
  readonly section: string;
  readonly rows: readonly SourceRow[];
}

/** Rows of a piece: what is written between two requests takes a millisecond or two. */
const rowsPerPiece = 250;

/** Writes a document down piece by piece, so that requests are answered in between. */
export async function piecesOf({ ref, sections }: SourceDocument): Promise<SourcePieces> {
  const encoder = new TextEncoder();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (const [section, rows] of Object.entries(sections)) {
    // A section without rows is there all the same.
    for (let at = 0; at === 0 || at < rows.length; at += rowsPerPiece) {
      const piece: Piece = { section, rows: rows.slice(at, at + rowsPerPiece) };
      pieces.push(encoder.encode(JSON.stringify(piece)));
      await yieldToOthers();
    }
  }
  return { ref, pieces };
}

/** The document again. */
export function documentOf({ ref, pieces }: SourcePieces): SourceDocument {
  const decoder = new TextDecoder();
  const sections = new Map<string, SourceRow[]>();
  for (const bytes of pieces) {
    const { section, rows } = JSON.parse(decoder.decode(bytes)) as Piece;
    const known = sections.get(section);
    if (known === undefined) sections.set(section, [...rows]);
    else for (const row of rows) known.push(row);
  }
  return { ref, sections: Object.fromEntries(sections) };
}
