import { conceptsOf } from './concepts.ts';

/** Columns of a table of which so many are alike at one end as a rule, for that end to say nothing. */
const prefixedMin = 5;
const prefixedShare = 0.7;
/** So many columns for a short beginning that is no word. */
const unknownMin = 3;
/** Letters of a beginning or ending that nothing sets apart: RPDOC, CODFAC. */
const letters = { min: 2, max: 4, share: 0.9 } as const;

/** What each name ends with where any may be one of several: NUM_0, DES_0, DES_1. */
const firstOfMany = '_0';

/** What the names of a table's columns have in common, and says nothing of any of them. */
export interface Affixes {
  readonly beginnings: readonly string[];
  readonly endings: readonly string[];
  /** The type of each stands before it: `cName`, `kKunde`, `fPreis`. */
  readonly hasTypes?: true;
  /** Names are made of words of three letters: NUMPIE, AMTTAXLIN. */
  readonly isCut?: true;
}

/**
 * What most columns of a table begin or end with.
 *
 *   idleAffixes(['ct_name', 'ct_city', 'ct_phone', 'ct_email', 'ct_zip']).beginnings // ['ct_']
 *   idleAffixes(['CODFAC', 'FECFAC', 'CLIFAC', 'TOTFAC', 'REFFAC']).endings // ['FAC']
 */
export function idleAffixes(columns: readonly string[]): Affixes {
  if (haveTypes(columns)) return { beginnings: [], endings: [], hasTypes: true };
  const found = alikeAffixes(columns);
  const bare = columns.map((column) => withoutAffixes(column, found));
  return areCut(bare) ? { ...found, isCut: true } : found;
}

/** A letter or an abbreviation for the type of a column, before its name. */
const typed = /^(?:[a-z]|str|int|lng|dbl|dec|dtm?|bln|bit|txt|num)(?=[A-Z])/;

function haveTypes(columns: readonly string[]): boolean {
  const types = columns.flatMap((column) => typed.exec(column)?.[0] ?? []);
  return (
    columns.length >= unknownMin &&
    types.length / columns.length >= prefixedShare &&
    new Set(types).size > 1
  );
}

/** Names of which most have to be of three letters, or of two or three such words, and how many at least. */
const cut = { columnsMin: 8, share: 0.6 } as const;

function areCut(columns: readonly string[]): boolean {
  const found = columns.filter((column) => /^([A-Z]{3}){1,3}\d?(_\d)?$/.test(column));
  return columns.length >= cut.columnsMin && found.length / columns.length >= cut.share;
}

function alikeAffixes(columns: readonly string[]): Affixes {
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
  const numbered = columns.filter((column) => column.endsWith(firstOfMany));
  if (columns.length >= prefixedMin && numbered.length / columns.length >= prefixedShare) {
    return { beginnings: [], endings: [firstOfMany] };
  }
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

/**
 * `InvoiceLineDesc` of a table `InvoiceLine` is its "Desc"; a name of one word is too often a word of the column's own,
 * and "ber" is no word of `InvNumber` in a table `InvNum`.
 */
export function withoutTable(column: string, table: string): string {
  const name = table.replace(/^.*\./, '');
  const isOfWords = /[a-z][A-Z]|[a-z]_[a-z]/.test(name);
  const rest = column.slice(name.length);
  return isOfWords && column.startsWith(name) && /^(_[A-Za-z]|[A-Z])[A-Za-z]{2}/.test(rest)
    ? rest.replace(/^_/, '')
    : column;
}

/** The name without such a beginning or ending; what is left of an abbreviation is written out. */
export function withoutAffixes(
  column: string,
  { beginnings, endings, hasTypes, isCut }: Affixes,
): string {
  if (hasTypes === true) return withoutType(column);
  if (isCut === true) return inWords(withoutAffixes(column, { beginnings, endings }));
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

/** `kKunde` is the key of a customer; other types say nothing. */
function withoutType(column: string): string {
  const bare = column.replace(typed, '');
  return /^k[A-Z]/.test(column) ? `${bare} key` : bare;
}

/** `AMTTAXLIN` → amount tax line, where most names are made of such words; unknown words stay. */
function inWords(bare: string): string {
  const [, letters = '', rest = ''] = /^((?:[A-Z]{3}){1,3})(\d?(?:_\d)?)$/.exec(bare) ?? [];
  const words = letters.toLowerCase().match(/.{3}/g) ?? [];
  const whole = cutPairs[letters.toLowerCase()];
  if (whole !== undefined) return `${whole} ${rest}`.trim();
  const meanings = words.map((word) => threeLetters[word] ?? cutWords[word]);
  const isKnown = words.some((word, at) => meanings[at] !== undefined || conceptsOf(word));
  if (!isKnown) return bare;
  return `${words.map((word, at) => meanings[at] ?? word).join(' ')} ${rest}`.trim();
}

/** Words of three letters that stand beside others in names that are made of such words. */
const threeLetters: Readonly<Record<string, string>> = {
  acc: 'posting',
  add: 'address',
  amt: 'amount',
  ati: 'gross tax',
  bpr: 'buyer',
  cde: 'order',
  cdp: 'postcode',
  cpy: 'company',
  cre: 'created',
  cry: 'country',
  cty: 'city',
  dev: 'currency',
  dis: 'discount',
  dud: 'due',
  ech: 'due',
  fac: 'invoice',
  gro: 'gross',
  itm: 'item',
  lig: 'line',
  lin: 'line',
  mnt: 'amount',
  nam: 'name',
  not: 'net tax',
  pie: 'invoice',
  pri: 'price',
  rat: 'rate',
  rem: 'discount',
  sat: 'state',
  sau: 'unit',
  sta: 'status',
  str: 'begin',
  stu: 'unit',
  tau: 'rate',
  tie: 'buyer',
  tva: 'tax',
  upd: 'modified',
  val: 'amount',
  vil: 'city',
};

/** Two such words that mean one thing together. */
const cutPairs: Readonly<Record<string, string>> = {
  cdepos: 'postcode',
  codpos: 'postcode',
  poscod: 'postcode',
  prinet: 'price',
  priuni: 'unit price',
};

function writtenOut(bare: string): string {
  const [, word = '', number = ''] = /^([A-Z]+)(\d*)$/.exec(bare) ?? [];
  const meaning = cutWords[word.toLowerCase()];
  return meaning === undefined ? bare : `${meaning} ${number}`.trim();
}
