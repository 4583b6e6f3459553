import type { Cell, LayoutTable } from './layout.ts';

/** What stands in a column: the same in each row, or made of what the row is about. */
type Content<T> = Cell | ((row: T, index: number) => Cell);

/** A table with a row for each of `all`; `columns`: `name type` → content, several names by commas. */
export function tableOf<T>(
  all: readonly T[],
  columns: Readonly<Record<string, Content<T>>>,
  foreign: Readonly<Record<string, string>> = {},
): LayoutTable {
  const contents = Object.entries(columns).flatMap(([names, content]) =>
    names.split(',').map(() => content),
  );
  return {
    columns: Object.keys(columns).join(', '),
    rows: all.map((row, index) =>
      contents.map((content) => (typeof content === 'function' ? content(row, index) : content)),
    ),
    foreign,
  };
}

/** A date with a time of the day, as a timestamp has it. */
export function at(date: string, time = '10:41:07'): string {
  return `${date} ${time}`;
}

/** A date as a timestamp without a time of the day. */
export function midnight(date: string): string {
  return at(date, '00:00:00');
}
