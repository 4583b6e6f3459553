import type { Node, Shape } from '@drawbridge/cim/node.ts';

/** Tags with nothing between them: what they close, then what they open. */
export interface Run {
  readonly written: string;
  readonly closes: number;
  readonly opens: readonly Opening[];
  /** What was met after the last of its tags. */
  readonly next: KnownRuns;
}

/** An element that a run opens. */
export interface Opening {
  readonly shape: Shape;
  /** Shared by all elements that the run opens: frozen. */
  readonly attributes: Node['attributes'];
}

/** The latest come last; what was met after one tag. */
export type KnownRuns = Run[];

/** A start or end tag of a bound element; `unusual` is any other. */
export type Tag = number;

export const unusual: Tag = -1;

export function startTag({ number }: Shape): Tag {
  return 2 * number;
}

export function endTag({ number }: Shape): Tag {
  return 2 * number + 1;
}

/** The run that stands at `from`, when it is known. */
export function knownRun(known: KnownRuns, source: string, from: number): Run | undefined {
  for (const run of known) {
    // As a slice: V8 compares strings by words, and `startsWith` by characters.
    if (source.slice(from, from + run.written.length) === run.written) return run;
  }
  return undefined;
}

/** As many are tried after a tag: units, currencies and categories are few. */
const knownMax = 4;

export function keepRun(known: KnownRuns, run: Run): void {
  if (known.length === knownMax) known.shift();
  known.push(run);
}
