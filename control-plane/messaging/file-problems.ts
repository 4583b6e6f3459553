/** What is wrong with the rows of an uploaded file. */

export interface Problem {
  readonly field: string;
  readonly problem: string;
}

/** A row as a preview shows it. */
export interface ShownRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly problems: readonly Problem[];
}

/** One kind of problem, in how many rows it is, and the first of them. */
export interface ProblemKind extends Problem {
  readonly rows: number;
  readonly first_line: number;
}

const kindsShown = 50;
const kindsMax = 1_000;

/** Counts problems in the order of the lines. */
export function problemKinds() {
  const kinds = new Map<string, ProblemKind>();
  return {
    count: ({ field, problem }: Problem, line: number): void => {
      const key = `${field}\0${problem}`;
      const known = kinds.get(key);
      if (known === undefined && kinds.size >= kindsMax) return;
      const { rows = 0, first_line = line } = known ?? {};
      kinds.set(key, { field, problem, rows: rows + 1, first_line });
    },
    /** The most frequent first. */
    shown: (): ProblemKind[] =>
      [...kinds.values()].sort((a, b) => b.rows - a.rows).slice(0, kindsShown),
  };
}
