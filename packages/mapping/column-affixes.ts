import { conceptsOf } from './concepts.ts';

/** Columns of a table of which so many are alike at one end as a rule, for that end to say nothing. */
const prefixedMin = 5;
const prefixedShare = 0.7;
/** So many columns for a short beginning that is no word. */
const unknownMin = 3;
/** Letters of a beginning or ending that nothing sets apart: RPDOC, CODFAC. */
const letters = { min: 2, max: 4, share: 0.9 } as const;

/** What the names of a table's columns have in common, and says nothing of any of them. */
export interface Affixes {
  readonly beginnings: readonly string[];
  readonly endings: readonly string[];
}

/**
 * What most columns of a table begin or end with.
 *
 *   idleAffixes(['ct_name', 'ct_city', 'ct_phone', 'ct_email', 'ct_zip']).beginnings // ['ct_']
 *   idleAffixes(['CODFAC', 'FECFAC', 'CLIFAC', 'TOTFAC', 'REFFAC']).endings // ['FAC']
 */
export function idleAffixes(columns: readonly string[]): Affixes {
  const counts = new Map<string, number>();
  for (const column of columns) {
    const first = /^[A-Za-z]+_(?=.)/.exec(column)?.[0];
    if (first !== undefined) counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  const isIdle = ([prefix, count]: readonly [string, number]) =>
    (columns.length >= prefixedMin && count / columns.length >= prefixedShare) ||
    (count >= unknownMin &&
      prefix.length <= 4 &&
      conceptsOf(prefix.slice(0, -1).toLowerCase()) === undefined);
  const beginnings = [...counts].filter(isIdle).map(([prefix]) => prefix);
  if (beginnings.length > 0) return { beginnings, endings: [] };
  const ending = commonLetters(columns, (column, length) => column.slice(-length));
  if (ending !== undefined) return { beginnings: [], endings: [ending] };
  const beginning = commonLetters(columns, (column, length) => column.slice(0, length));
  return { beginnings: beginning === undefined ? [] : [beginning], endings: [] };
}

/** The longest letters at one end that nearly all names have, where names are capitals and digits only. */
function commonLetters(
  columns: readonly string[],
  partOf: (column: string, length: number) => string,
): string | undefined {
  if (columns.length < unknownMin) return undefined;
  const shareMin = columns.length < prefixedMin ? 1 : letters.share;
  if (!columns.every((column) => /^[A-Z][A-Z0-9]*$/.test(column))) return undefined;
  for (let length: number = letters.max; length >= letters.min; length--) {
    const counts = new Map<string, number>();
    for (const column of columns) {
      if (column.length < length + 2) continue;
      const part = partOf(column, length);
      counts.set(part, (counts.get(part) ?? 0) + 1);
    }
    const found = [...counts].find(([, count]) => count / columns.length >= shareMin);
    if (found !== undefined) return found[0];
  }
  return undefined;
}

/** The name without such a beginning or ending; what is left of an abbreviation is written out. */
export function withoutAffixes(column: string, { beginnings, endings }: Affixes): string {
  const beginning = beginnings.find((one) => column.startsWith(one));
  if (beginning !== undefined && column.length > beginning.length) {
    return column.slice(beginning.length);
  }
  const ending = endings.find((one) => column.endsWith(one));
  if (ending === undefined || column.length === ending.length) return column;
  const bare = column.slice(0, -ending.length);
  return writtenOut(bare);
}

/**
 * Three letters of a word, as systems with names of six letters cut them: only there, for elsewhere they are
 * other words.
 */
const cutWords: Readonly<Record<string, string>> = {
  cod: 'code number',
  fec: 'date',
  dat: 'date',
  tip: 'type',
  cli: 'buyer',
  cno: 'buyer name',
  cdo: 'buyer address',
  cpo: 'postcode',
  ccp: 'buyer postcode',
  cni: 'buyer nif',
  cpr: 'buyer province',
  nof: 'name legal',
  noc: 'name',
  nom: 'name',
  dom: 'address',
  dir: 'address',
  pob: 'city',
  ciu: 'city',
  pro: 'supplier',
  pai: 'country',
  ema: 'email',
  can: 'quantity',
  qte: 'quantity',
  pre: 'price',
  pvp: 'price',
  pco: 'cost',
  cos: 'cost',
  imp: 'amount',
  des: 'description',
  lib: 'description',
  art: 'item',
  ume: 'unit',
  uni: 'unit',
  piva: 'tax percent',
  piv: 'tax percent',
  iiva: 'tax amount',
  bas: 'net tax',
  net: 'net',
  tot: 'total',
  ven: 'due date',
  vto: 'due date',
  div: 'currency',
  mon: 'currency',
  obs: 'note',
  est: 'status',
  age: 'employee',
  usu: 'employee',
  alm: 'warehouse',
  fop: 'payment method',
  fpa: 'payment method',
  dto: 'discount percent',
  dt: 'discount percent',
};

function writtenOut(bare: string): string {
  const [, word = '', number = ''] = /^([A-Z]+)(\d*)$/.exec(bare) ?? [];
  const meaning = cutWords[word.toLowerCase()];
  return meaning === undefined ? bare : `${meaning} ${number}`.trim();
}
