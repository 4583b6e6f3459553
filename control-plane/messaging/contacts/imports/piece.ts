/** Groups the lines of a file into pieces of several hundred lines, in two partitions. */
import type { Attributes } from '../store.ts';

/** Pieces of different partitions are imported at the same time. */
const partitions = 2;
/**
 * The size of one transaction, by `weightOf`: many short rows or fewer long ones. Its JSON stays
 * smaller than what V8 treats as a large string and frees late, so that memory does not grow with
 * the file.
 */
const weightMax = 800;
const charactersOfWeight = 500;

export interface ImportLine {
  /** From 1, which is the header. */
  readonly line: number;
  readonly phone: string;
  readonly name: string | null;
  readonly attributes: Attributes;
  readonly segments: readonly string[];
  /** The length of the whole line. */
  readonly characters: number;
}

/** A contact of a piece: all its lines with the same phone. */
interface PieceRow {
  readonly phone: string;
  readonly name: string | null;
  readonly attributes: Attributes;
  readonly segments: readonly string[];
  readonly lines: readonly number[];
}

export interface Piece {
  readonly partition: number;
  readonly lines: number;
  readonly rows: readonly PieceRow[];
}

export interface PieceCollector {
  /** Returns a piece when the line completes it. */
  add(line: ImportLine): Piece | undefined;
  /** The pieces that are not full. */
  flush(): Piece[];
}

/** Collects lines in the order of the file; all lines with one phone go to the same partition. */
export function pieceCollector(): PieceCollector {
  const open = Array.from({ length: partitions }, (_, partition) => newDraft(partition));
  return {
    add: (line) => {
      const partition = Number(line.phone.at(-1)) % partitions;
      const draft = open[partition]!;
      addLine(draft, line);
      if (draft.weight < weightMax) return undefined;
      open[partition] = newDraft(partition);
      return pieceOf(draft);
    },
    flush: () => open.filter(({ lines }) => lines > 0).map(pieceOf),
  };
}

interface Draft {
  readonly partition: number;
  readonly byPhone: Map<string, PieceRow>;
  lines: number;
  weight: number;
}

function newDraft(partition: number): Draft {
  return { partition, byPhone: new Map(), lines: 0, weight: 0 };
}

/** Two lines with the same phone are one contact: the later line overrides the earlier. */
function addLine(draft: Draft, line: ImportLine): void {
  const { phone, name, attributes, segments } = line;
  const before = draft.byPhone.get(phone);
  const row: PieceRow =
    before === undefined
      ? { phone, name, attributes, segments, lines: [line.line] }
      : {
          phone,
          name: name ?? before.name,
          attributes: { ...before.attributes, ...attributes },
          segments: [...new Set([...before.segments, ...segments])],
          lines: [...before.lines, line.line],
        };
  draft.byPhone.set(phone, row);
  draft.lines += 1;
  draft.weight += weightOf(line);
}

function weightOf({ segments, characters }: ImportLine): number {
  return 1 + segments.length + characters / charactersOfWeight;
}

function pieceOf({ partition, lines, byPhone }: Draft): Piece {
  return { partition, lines, rows: [...byPhone.values()] };
}
