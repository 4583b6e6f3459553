import type { Node, Shape } from '@drawbridge/cim/node.ts';

/** Consecutive tags without text between them: the elements they close, then those they open. */
export interface Run {
  readonly written: string;
  readonly closes: number;
  readonly opens: readonly Opening[];
  /** Runs seen after the last of its tags. */
  readonly next: KnownRuns;
}

/** An element that a run opens. */
export interface Opening {
  readonly shape: Shape;
  /** Frozen, because all elements that the run opens share it. */
  readonly attributes: Node['attributes'];
}

/** The runs seen after one tag, the latest at the end. */
export type KnownRuns = Run[];

/** A start or end tag of a bound element; `unusual` is any other. */
export type Tag = number;

/** Any tag that runs do not contain. */
export const unusual: Tag = -1;

/** The start tag of an element of that shape. */
export function startTag({ number }: Shape): Tag {
  return 2 * number;
}

/** The end tag of an element of that shape. */
export function endTag({ number }: Shape): Tag {
  return 2 * number + 1;
}

/** The known run at `from`, if there is one. */
export function knownRun(known: KnownRuns, source: string, from: number): Run | undefined {
  for (const run of known) {
    // A slice, because V8 compares strings by words and `startsWith` by characters.
    if (source.slice(from, from + run.written.length) === run.written) return run;
  }
  return undefined;
}

/** The most runs tried after a tag; units, currencies and categories are few. */
const knownMax = 4;

/** Adds a run to those after the same tag; replaces the oldest of four. */
export function keepRun(known: KnownRuns, run: Run): void {
  if (known.length === knownMax) known.shift();
  known.push(run);
}
