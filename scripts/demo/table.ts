import { styleText } from 'node:util';

export type Cell = string;

/** Prints a title on its own line. */
export function heading(text: string): void {
  process.stdout.write(`\n${styleText('bold', text)}\n`);
}

/** Prints one line of the report. */
export function line(text: string): void {
  process.stdout.write(`  ${text}\n`);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes take no room on the screen
const colour = /\u001b\[\d+m/g;

/** Prints a table with columns of the needed width. */
export function table(head: readonly Cell[], rows: readonly (readonly Cell[])[]): void {
  const width = (cell: Cell): number => cell.replace(colour, '').length;
  const widths = head.map((cell, at) =>
    Math.max(width(cell), ...rows.map((row) => width(row[at] ?? ''))),
  );
  const print = (row: readonly Cell[], style: (text: string) => string = (text) => text): void => {
    const padded = row.map((cell, at) => style(cell) + ' '.repeat(widths[at]! - width(cell)));
    line(padded.join('  ').trimEnd());
  };
  print(head, (text) => styleText('dim', text));
  for (const row of rows) print(row);
}
