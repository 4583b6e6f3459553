import { wordsOf } from '../words.ts';
import { columnFacts, type FoundTable, type SampleRow } from './database.ts';

/** The column that tells the documents of a table apart. */
export interface DocumentColumn {
  readonly column: string;
  /** Whether rows of one document follow each other; otherwise each row is a document. */
  readonly isRepeated: boolean;
  /** The column is filled in the first row of a document only. */
  readonly isContinued: boolean;
  /** Whether only one document was seen. */
  readonly isOne: boolean;
  readonly reason: string;
  /** 0 to 1. */
  readonly confidence: number;
  readonly notes: readonly string[];
}

/**
 * Finds it by names and values: rows with the same value have one date and one customer, and their amounts
 * sum up to their total; undefined when no column does.
 */
export function documentColumnOf(whole: FoundTable): DocumentColumn | undefined {
  const table = { ...whole, sample: whole.sample.slice(0, limits.rowsMax) };
  const names = table.columns
    .map(({ name }) => name)
    .filter((name) => name !== '')
    .slice(0, limits.columnsMax);
  const likely = names
    .flatMap((name) => [...judged(table, names, name, false), ...judged(table, names, name, true)])
    .sort((one, other) => other.score - one.score)
    .slice(0, limits.summedMax)
    .map((each) => withSums(table, names, each))
    .sort((one, other) => other.score - one.score);
  const [best] = likely;
  return best === undefined || best.score < scoreMin ? undefined : describedBy(best);
}

/** Of a table that somebody made as large as may be. */
const limits = { rowsMax: 600, columnsMax: 100, summedMax: 3 } as const;

const scoreMin = 3;

interface Judged {
  readonly column: string;
  readonly score: number;
  readonly named: number;
  readonly groups: number;
  readonly rows: number;
  readonly isContinued: boolean;
  /** Columns that are the same in all rows of a document. */
  readonly same: readonly string[];
  readonly sums: { readonly part: string; readonly total: string } | undefined;
  readonly isTogether: boolean;
}

function judged(
  table: FoundTable,
  names: readonly string[],
  column: string,
  isContinued: boolean,
): readonly Judged[] {
  const { kind, filled, rows, values } = columnFacts(table, column);
  if (kind === 'date' || kind === 'decimal' || kind === 'empty') return [];
  const isFirstFilled = (table.sample[0]?.[column] ?? null) !== null;
  const isPossible = isContinued ? filled < rows && isFirstFilled : filled === rows;
  const named = nameScore(column);
  if (!isPossible || named < 0) return [];
  const groups = groupsOf(table.sample, column, isContinued);
  const shared = groups.filter((group) => group.length > 1);
  const others = names.filter((name) => name !== column);
  const stays = (name: string) => shared.every((group) => isSame(group, name, isContinued));
  const same = shared.length === 0 ? [] : others.filter(stays);
  const dates = others.filter((name) => columnFacts(table, name).kind === 'date');
  // A customer's rows have many dates, and a day's rows many customers.
  if (shared.length > 0 && dates.some(isIssue) && !dates.filter(isIssue).every(stays)) return [];
  if (isContinued && !same.some((name) => isBlankAlike(shared, name))) return [];
  const isTogether = groups.length === values.size;
  const isRepeated = shared.length > 0;
  if (named === 0 && !(isRepeated && isTogether && dates.some((date) => same.includes(date)))) {
    return [];
  }
  const score =
    named +
    (isRepeated && dates.length > 0 && dates.every(stays) ? 2 : 0) +
    Math.min(2, same.length * 0.5) +
    (isTogether ? 0.5 : -1) +
    groups.length / rows;
  return [
    {
      column,
      score,
      named,
      groups: groups.length,
      rows,
      isContinued,
      same,
      sums: undefined,
      isTogether,
    },
  ];
}

/** The sums of a document's rows say more than anything else. */
function withSums(table: FoundTable, names: readonly string[], judgement: Judged): Judged {
  const { column, isContinued, same, score } = judgement;
  if (same.length === 0) return judgement;
  const groups = groupsOf(table.sample, column, isContinued);
  const others = names.filter((name) => name !== column);
  const sums = sumsOf(table, groups, same, others);
  return sums === undefined ? judgement : { ...judgement, sums, score: score + 3 };
}

/** How much a name says that it is that of an invoice's number; negative for what it cannot be. */
function nameScore(column: string): number {
  const words = new Set(wordsOf(column));
  const has = (word: string) => words.has(word);
  const others = ['line', 'item', 'tax', 'unit', 'currency', 'country', 'quantity', 'price', 'due'];
  if (others.some(has) || has('date') || has('postcode') || has('phone')) return -1;
  const isNumber = has('number') || has('reference') || has('id') || has('code');
  if (has('buyer') || has('seller') || has('supplier')) return has('invoice') && isNumber ? 2 : -1;
  if (has('invoice')) return isNumber ? 4 : 3;
  if (has('order')) return isNumber ? 2 : 1;
  if (has('number') || has('reference')) return 3;
  return has('id') || has('key') ? 1 : 0;
}

function isIssue(column: string): boolean {
  const words = wordsOf(column);
  return !words.includes('due') && !words.includes('delivery') && !words.includes('period');
}

/** Rows by their document, in their order; in a continued table those that follow belong to the one above. */
function groupsOf(
  sample: readonly SampleRow[],
  column: string,
  isContinued: boolean,
): readonly (readonly SampleRow[])[] {
  if (!isContinued) return [...Map.groupBy(sample, (row) => row[column]).values()];
  const groups: SampleRow[][] = [];
  for (const row of sample) {
    if ((row[column] ?? null) !== null) groups.push([row]);
    else groups.at(-1)?.push(row);
  }
  return groups;
}

function isSame(group: readonly SampleRow[], name: string, isContinued: boolean): boolean {
  const values = group.map((row) => row[name] ?? null);
  const held = isContinued ? values.filter((value) => value !== null) : values;
  return new Set(held).size <= 1;
}

/** Whether a column is blank below the first row of each document, as the number is. */
function isBlankAlike(groups: readonly (readonly SampleRow[])[], name: string): boolean {
  return (
    groups.length > 0 &&
    groups.every(
      ([first, ...rest]) =>
        (first?.[name] ?? null) !== null && rest.every((row) => (row[name] ?? null) === null),
    )
  );
}

const shareMin = 0.8;
const sumColumnsMax = 30;

/** A column of the rows whose sum is a column of their document. */
function sumsOf(
  table: FoundTable,
  groups: readonly (readonly SampleRow[])[],
  same: readonly string[],
  others: readonly string[],
): Judged['sums'] {
  const isAmount = (name: string) => {
    const { kind } = columnFacts(table, name);
    return kind === 'decimal' || kind === 'integer' || isLocalAmount(table, name);
  };
  const totals = same.filter(isAmount).slice(0, sumColumnsMax);
  const parts = others.filter((name) => !same.includes(name) && isAmount(name));
  for (const total of totals) {
    for (const part of parts.slice(0, sumColumnsMax)) {
      const compared = groups.filter((group) => amountOf(group[0]?.[total]) !== 0);
      const right = compared.filter((group) => {
        const sum = group.reduce((before, row) => before + amountOf(row[part]), 0);
        return Math.abs(sum - amountOf(group[0]?.[total])) < 0.011;
      });
      if (compared.length > 0 && right.length / compared.length >= shareMin) return { part, total };
    }
  }
  return undefined;
}

/** `1.234,50`, which is text for those who read English. */
function isLocalAmount(table: FoundTable, name: string): boolean {
  const { values } = columnFacts(table, name);
  return values.size > 0 && [...values].every((value) => /^-?[\d.,' ]*\d[.,]\d{1,3}$/.test(value));
}

/** To compare sums, and not to be computed with further. */
function amountOf(text: string | null | undefined): number {
  const plain = (text ?? '').replace(/[\s'\u00a0]/g, '');
  const point = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf(','));
  const isGrouping =
    point >= 0 && plain.length - point === 4 && plain.indexOf(plain[point]!) < point;
  const whole = point < 0 || isGrouping ? plain : plain.slice(0, point);
  const fraction = point < 0 || isGrouping ? '' : plain.slice(point + 1);
  return Number(`${whole.replace(/[.,]/g, '')}.${fraction}`) || 0;
}

function describedBy({ column, named, groups, rows, isContinued, same, sums, isTogether }: Judged) {
  const isRepeated = groups < rows;
  const alike = same
    .slice(0, 3)
    .map((name) => `"${name}"`)
    .join(', ');
  const rest = [
    ...(alike === '' ? [] : [`they have one ${alike} each`]),
    ...(sums === undefined ? [] : [`"${sums.part}" sums up to "${sums.total}"`]),
  ].join('; ');
  const reason = isRepeated
    ? `Rows with the same "${column}" are the lines of an invoice${rest === '' ? '' : `: ${rest}`}.`
    : `Each row has a "${column}" of its own: it is an invoice with one line.`;
  const continued = `Rows with an empty "${column}" go on with the invoice above them.`;
  return {
    column,
    isRepeated,
    isContinued,
    isOne: groups === 1,
    reason: isContinued ? `${reason} ${continued}` : reason,
    confidence: Math.min(
      0.97,
      0.55 +
        Math.min(named, 4) * 0.06 +
        (sums === undefined ? 0 : 0.12) +
        (alike === '' ? 0 : 0.08),
    ),
    notes: isTogether || isContinued ? [] : [`Rows of one "${column}" do not stand together.`],
  };
}
