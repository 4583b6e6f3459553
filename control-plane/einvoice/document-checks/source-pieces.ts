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

/** Rows of a piece, and their characters: what is done between two requests takes a millisecond or two. */
const rowsPerPiece = 250;
const lengthPerPiece = 262_144;

/** Writes a document down piece by piece, so that requests are answered in between. */
export async function piecesOf({ ref, sections }: SourceDocument): Promise<SourcePieces> {
  const encoder = new TextEncoder();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (const [section, rows] of Object.entries(sections)) {
    let at = 0;
    do {
      const end = endOfPiece(rows, at);
      const piece: Piece = { section, rows: rows.slice(at, end) };
      pieces.push(encoder.encode(JSON.stringify(piece)));
      await yieldToOthers();
      at = end;
      // A section without rows is there all the same.
    } while (at < rows.length);
  }
  return { ref, pieces };
}

/** Where the piece ends that begins at that row. */
function endOfPiece(rows: readonly SourceRow[], from: number): number {
  let length = 0;
  let end = from;
  while (end < rows.length && end - from < rowsPerPiece && length < lengthPerPiece) {
    const values = Object.values(rows[end]!.values);
    for (const value of values) length += value?.length ?? 0;
    end += 1;
  }
  return end;
}

/** The document again. */
export function documentOf({ ref, pieces }: SourcePieces): SourceDocument {
  const sections = new Map<string, SourceRow[]>();
  for (const bytes of pieces) addPiece(sections, bytes);
  return { ref, sections: Object.fromEntries(sections) };
}

/** The same, with requests answered between two pieces. */
export async function gatherDocument({ ref, pieces }: SourcePieces): Promise<SourceDocument> {
  const sections = new Map<string, SourceRow[]>();
  for (const bytes of pieces) {
    addPiece(sections, bytes);
    await yieldToOthers();
  }
  return { ref, sections: Object.fromEntries(sections) };
}

const decoder = new TextDecoder();

function addPiece(sections: Map<string, SourceRow[]>, bytes: Uint8Array): void {
  const { section, rows } = JSON.parse(decoder.decode(bytes)) as Piece;
  const known = sections.get(section);
  if (known === undefined) sections.set(section, [...rows]);
  else for (const row of rows) known.push(row);
}
