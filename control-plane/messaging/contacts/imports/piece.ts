/** Lines of a file, put together as they are taken over: by the hundred, and in lanes. */
import type { Attributes } from '../store.ts';

/** Pieces of different lanes are taken over beside each other. */
const lanes = 2;
/**
 * What one transaction takes over, by `weightOf`: short rows, or fewer of long ones. As JSON it stays
 * below what V8 counts as a large string, which would be freed late, and memory would follow the file.
 */
const weightMax = 800;
const charactersOfWeight = 500;

export interface ImportLine {
  /** From 1, the header's. */
  readonly line: number;
  readonly phone: string;
  readonly name: string | null;
  readonly attributes: Attributes;
  readonly segments: readonly string[];
  /** Of the whole line. */
  readonly characters: number;
}

/** A contact as a piece has it: all the lines that have its phone. */
export interface PieceRow {
  readonly phone: string;
  readonly name: string | null;
  readonly attributes: Attributes;
  readonly segments: readonly string[];
  readonly lines: readonly number[];
}

export interface Piece {
  readonly lane: number;
  readonly lines: number;
  readonly rows: readonly PieceRow[];
}

export interface Pieces {
  /** The piece that the line made full. */
  add(line: ImportLine): Piece | undefined;
  /** What is not full. */
  rest(): Piece[];
}

/** Collects lines in the order of the file; a phone always comes to the same lane. */
export function pieces(): Pieces {
  const open = Array.from({ length: lanes }, (_, lane) => newDraft(lane));
  return {
    add: (line) => {
      const lane = Number(line.phone.at(-1)) % lanes;
      const draft = open[lane]!;
      addLine(draft, line);
      if (draft.weight < weightMax) return undefined;
      open[lane] = newDraft(lane);
      return pieceOf(draft);
    },
    rest: () => open.filter(({ lines }) => lines > 0).map(pieceOf),
  };
}

interface Draft {
  readonly lane: number;
  readonly byPhone: Map<string, PieceRow>;
  lines: number;
  weight: number;
}

function newDraft(lane: number): Draft {
  return { lane, byPhone: new Map(), lines: 0, weight: 0 };
}

/** A phone that stands twice is one contact: the later line goes on from the earlier. */
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

function pieceOf({ lane, lines, byPhone }: Draft): Piece {
  return { lane, lines, rows: [...byPhone.values()] };
}
