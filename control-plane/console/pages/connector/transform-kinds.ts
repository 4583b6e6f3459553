import type { Transform } from './queries.ts';

/** How a member of a step is filled in. */
export type Control =
  | { readonly kind: 'text' }
  | { readonly kind: 'number' }
  | { readonly kind: 'choice'; readonly of: readonly string[]; readonly isOptional?: true }
  /** A column of the same row, or a text. */
  | { readonly kind: 'operand' }
  /** Names of columns, with commas between. */
  | { readonly kind: 'columns' }
  /** What values become: a line for each, `from = to`. */
  | { readonly kind: 'pairs' };

type MembersOf<Kind extends Transform['kind']> = Exclude<
  keyof Extract<Transform, { kind: Kind }>,
  'kind'
>;

interface StepForm<Kind extends Transform['kind']> {
  readonly controls: { readonly [Member in MembersOf<Kind>]?: Control };
  /** A new step. */
  readonly empty: Extract<Transform, { kind: Kind }>;
}

const text = { kind: 'text' } as const;
const number = { kind: 'number' } as const;
const operand = { kind: 'operand' } as const;
const dates = ['ISO', 'YYYYMMDD', 'YYYY/MM/DD', 'DD/MM/YYYY', 'DD-MM-YYYY'] as const;
const otherDates = ['DD.MM.YYYY', 'MM/DD/YYYY', 'EXCEL', 'EPOCH', 'EPOCH_MS'] as const;
const cutDates = ['CYYMMDD', 'YYMMDD', 'YYYYDDD', 'CYYDDD', 'YYDDD'] as const;

/** The steps from a value of the source to one of the invoice, and what is asked for each. */
export const stepForms: { readonly [Kind in Transform['kind']]: StepForm<Kind> } = {
  trim: { controls: {}, empty: { kind: 'trim' } },
  upper: { controls: {}, empty: { kind: 'upper' } },
  default: { controls: { value: text }, empty: { kind: 'default', value: '' } },
  map: {
    controls: {
      values: { kind: 'pairs' },
      list: { kind: 'choice', of: ['countries', 'units'], isOptional: true },
      unmapped: { kind: 'choice', of: ['refuse', 'keep'], isOptional: true },
    },
    empty: { kind: 'map', values: {} },
  },
  date: {
    controls: { format: { kind: 'choice', of: [...dates, ...otherDates, ...cutDates] } },
    empty: { kind: 'date', format: 'YYYYMMDD' },
  },
  time: {
    controls: { format: { kind: 'choice', of: ['ISO', 'HH:MM:SS', 'HH:MM', 'HHMMSS'] } },
    empty: { kind: 'time', format: 'HH:MM:SS' },
  },
  decimal: {
    controls: { point: { kind: 'choice', of: ['.', ','] } },
    empty: { kind: 'decimal', point: ',' },
  },
  negate: { controls: {}, empty: { kind: 'negate' } },
  abs: { controls: {}, empty: { kind: 'abs' } },
  round: { controls: { places: number }, empty: { kind: 'round', places: 2 } },
  multiply: { controls: { by: operand }, empty: { kind: 'multiply', by: { value: '100' } } },
  divide: {
    controls: {
      by: operand,
      on_top: { kind: 'choice', of: ['percent', 'fraction'], isOptional: true },
    },
    empty: { kind: 'divide', by: { value: '100' } },
  },
  subtract: { controls: { by: operand }, empty: { kind: 'subtract', by: { value: '0' } } },
  concat: {
    controls: { columns: { kind: 'columns' }, separator: text },
    empty: { kind: 'concat', columns: [], separator: ' ' },
  },
  substring: {
    controls: { start: number, length: number },
    empty: { kind: 'substring', start: 1 },
  },
  split: {
    controls: { separator: text, part: number },
    empty: { kind: 'split', separator: '-', part: 1 },
  },
};

export const stepKinds = Object.keys(stepForms) as readonly Transform['kind'][];

/** `UAE = AE` in each line, as a table; the last sign of equality parts them. */
export function pairsOf(lines: string): Record<string, string> {
  const pairs = lines.split('\n').flatMap((line) => {
    const at = line.lastIndexOf('=');
    return at < 1 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()]];
  });
  return Object.fromEntries(pairs);
}

export const linesOf = (pairs: Readonly<Record<string, string>>): string =>
  Object.entries(pairs)
    .map((pair) => pair.join(' = '))
    .join('\n');
