/**
 * Draws the output of a command as an SVG, for the documents:
 *
 *   FORCE_COLOR=1 npm run -s demo | node scripts/draw-terminal.ts 'npm run demo' > docs/demo.svg
 *
 * The window has its own dark background, so it looks the same on light and dark pages.
 */
import { text } from 'node:stream/consumers';

const fontSize = 13;
const cellWidth = 7.83; // of a monospaced letter at this size; each run of letters is stretched to it
const lineHeight = 18;
const padding = 16;
const titleHeight = 30;
const linesMax = 200;

const fonts = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace";
const colours = { page: '#161b22', bar: '#21262d', text: '#e6edf3', dim: '#8b949e' } as const;

/** The styles of the codes of `styleText`. */
const styles: Readonly<Record<string, string>> = {
  1: 'font-weight="700"',
  2: `fill="${colours.dim}"`,
  31: 'fill="#ff7b72"',
  32: 'fill="#7ee787"',
  33: 'fill="#e3b341"',
  36: 'fill="#79c0ff"',
};

interface Run {
  readonly text: string;
  readonly column: number;
  readonly style: string;
}

const title = process.argv[2] ?? '';
const printed = await text(process.stdin);
const lines = printed
  .replace(/^\n+|\n+$/g, '')
  .split('\n')
  .slice(0, linesMax);
process.stdout.write(picture(lines.map(runsOf)));

/** Splits a line into runs of one style; a code applies until the next one. */
function runsOf(line: string): Run[] {
  const runs: Run[] = [];
  let column = 0;
  let style = '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes begin with one
  for (const part of line.split(/(\u001b\[\d+m)/)) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes begin with one
    const code = /^\u001b\[(\d+)m$/.exec(part)?.[1];
    if (code !== undefined) {
      style = styles[code] ?? '';
    } else if (part !== '') {
      runs.push({ text: part, column, style });
      column += part.length;
    }
  }
  return runs;
}

function picture(rows: readonly (readonly Run[])[]): string {
  const columns = Math.max(...rows.flat().map((run) => run.column + run.text.length));
  const width = Math.ceil(columns * cellWidth + 2 * padding);
  const height = titleHeight + rows.length * lineHeight + 2 * padding;
  const body = rows.flatMap((row, at) => row.flatMap((run) => drawn(run, at))).join('\n');
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  const bar = `M0 8a8 8 0 0 1 8-8h${width - 16}a8 8 0 0 1 8 8v${titleHeight - 8}H0z`;
  const letters = `font-family="${fonts}" font-size="${fontSize}" fill="${colours.text}"`;
  const typed = `<tspan fill="${colours.text}">${escaped(title)}</tspan>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${escaped(title)}">
<rect width="${width}" height="${height}" rx="8" fill="${colours.page}"/>
<path d="${bar}" fill="${colours.bar}"/>
<g ${letters}>
<text x="${padding}" y="20" fill="${colours.dim}">$ ${typed}</text>
${body}
</g>
</svg>
`;
}

/** Nothing for a run of blanks. */
function drawn({ text: words, column, style }: Run, row: number): string[] {
  const indent = words.length - words.trimStart().length;
  const shown = words.trim();
  if (shown === '') return [];
  const x = (padding + (column + indent) * cellWidth).toFixed(1);
  const y = titleHeight + padding + row * lineHeight + fontSize;
  const length = (shown.length * cellWidth).toFixed(1);
  const attributes = `x="${x}" y="${y}" textLength="${length}" ${style}`.trimEnd();
  // No-break spaces, because viewers collapse blanks.
  return [`<text ${attributes}>${escaped(shown).replaceAll(' ', '\u00a0')}</text>`];
}

function escaped(value: string): string {
  return value
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}
