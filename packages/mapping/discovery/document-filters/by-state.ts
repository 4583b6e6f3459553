import { wordsOf } from '../../words.ts';
import {
  columnFacts,
  type FoundDatabase,
  type FoundTable,
  type SampleRow,
  wordsOfColumn,
} from '../database.ts';
import { isMark, offText, onText } from '../marks.ts';
import { type DocumentFilter, kindsMax, namesOf } from './document-filter.ts';

const finalText =
  /^(posted|post|submitted|approved|authori[sz]ed|final|finali[sz]ed|confirmed|closed|completed?|validated|issued|sent|paid|open|unpaid|co|cl|gebucht|contabilizad[ao]|emitid[ao]|valid[eé]e?|[eé]mise?|freigegeben|verbucht|geboekt|disahkan)$/i;

const draftText =
  /draft|cancel|void|delet|entwurf|entw\.?$|storn|anul|rascunho|borrador|brouillon|abandon|annul|pending|processing|failed|on.?hold|temp|^cart$|basket|checkout|deraf|batal|rejected|^(dr|ip|vo|re|na)$/i;

/** `deleted = 0` where some rows are. */
export function deletedMark(table: FoundTable, column: string): DocumentFilter | undefined {
  const words = wordsOfColumn(table, column);
  const { values, filled, rows } = columnFacts(table, column);
  const off = [...values].find((value) => offText.test(value));
  if (off === undefined || filled < rows || !words.includes('deleted')) return undefined;
  // No, yes, and a letter for what takes it back.
  const areLetters = values.size === 3 && [...values].every((value) => /^[a-z\d]$/i.test(value));
  const isTold = isMark(values) || (areLetters && words.join() === 'deleted');
  return isTold ? { column, value: off } : undefined;
}

/** `deleted_at`: empty in rows that are still there. */
export function deletedFilter(header: FoundTable, column: string): DocumentFilter | undefined {
  const { kind, filled, rows } = columnFacts(header, column);
  const isMark = kind === 'date' && wordsOfColumn(header, column).includes('deleted');
  return isMark && filled < rows ? { column, value: null } : undefined;
}

/** Words of a mark that a document is no draft any more: `posted`, `is_approved`. */
const finalWords: ReadonlySet<string> = new Set([
  'is',
  'posting',
  'approved',
  'confirmed',
  'released',
  'validated',
  'valid',
  'finalized',
  'finalised',
  'submitted',
  'issued',
  'complete',
  'completed',
  'flag',
  'code',
]);

/** Different states that mean nothing by themselves, at most, and the letters of such a one. */
const bareStates = { max: 6, lengthMax: 2 } as const;

/** Documents in a state that was followed by something, of all: others are drafts and cancelled ones. */
const followedMin = 0.5;

/** Documents in that state that something followed, of these. */
const followedShareMin = 0.95;

/**
 * `state = 3` where the books, or whoever else goes on with a document, know documents in that state only. What was
 * paid does not tell: documents that are open are final too.
 */
export function followedFilter(
  header: FoundTable,
  column: string,
  lines: FoundTable,
  { tables, references }: FoundDatabase,
): DocumentFilter | undefined {
  const words = wordsOfColumn(header, column);
  const { values, filled, rows } = columnFacts(header, column);
  if (!words.includes('status') && !words.includes('state')) return undefined;
  if (filled < rows || values.size < 2 || values.size > bareStates.max) return undefined;
  if ([...values].some((value) => value.length > bareStates.lengthMax)) return undefined;
  const isOfPayment = (name: readonly string[]) =>
    ['payment', 'paid', 'deleted', 'credit'].some((word) => name.includes(word));
  const isSet = (value: string | null | undefined) => value != null && !/^[0. -]*$/.test(value);
  const marks = header.columns
    .filter(({ name }) => {
      const own = wordsOfColumn(header, name);
      const points = references.some(
        (one) => one.table === header.name && one.columns[0] === name && one.to !== header.name,
      );
      return name !== column && !isOfPayment(own) && (points || own.includes('posting'));
    })
    .map(
      ({ name }) =>
        (row: SampleRow) =>
          isSet(row[name]),
    );
  const followers = references
    .filter(({ to, table }) => to === header.name && table !== lines.name && table !== header.name)
    .flatMap(({ table, columns, toColumns }) => {
      const own = tables.find(({ name }) => name === table);
      if (own === undefined || isOfPayment(wordsOf(table))) return [];
      const held = columnFacts(own, columns[0]!).values;
      return [(row: SampleRow) => held.has(row[toColumns[0]!] ?? '')];
    });
  for (const isFollowed of [...marks, ...followers]) {
    const followed = header.sample.filter(isFollowed);
    const [value, ...others] = new Set(followed.map((row) => row[column]!));
    if (value === undefined || others.length > 0) continue;
    const all = header.sample.filter((row) => row[column] === value).length;
    const isMost = all >= rows * followedMin && followed.length >= all * followedShareMin;
    if (isMost) return { column, value };
  }
  return undefined;
}

/** Whether documents in a state lack the number, or a day, that all of those in the final one have. */
function isUnfinished(header: FoundTable, column: string, state: string, final: string): boolean {
  return header.columns.some(({ name }) => {
    const isDay = columnFacts(header, name).kind === 'date';
    if (!isDay && !wordsOfColumn(header, name).includes('number')) return false;
    const isHeld = (value: string, isFilled: boolean) =>
      header.sample.every(
        (row) => row[column] !== value || ((row[name] ?? '').trim() !== '') === isFilled,
      );
    return isHeld(final, true) && isHeld(state, false);
  });
}

/** What all values begin with before a dash or the like: `wc-` of wc-completed, wc-cancelled. */
function commonPrefix(values: readonly string[]): string {
  const [prefix = ''] = /^[a-z]+[-_:.]/i.exec(values[0] ?? '') ?? [];
  return values.every((value) => value.startsWith(prefix)) ? prefix : '';
}

/** `state = posted` where there are drafts; `cancelled = 0` where some are. */
export function stateFilter(
  header: FoundTable,
  column: string,
  database: FoundDatabase,
): DocumentFilter | undefined {
  const words = wordsOfColumn(header, column);
  const { values, kind, filled, rows } = columnFacts(header, column);
  if (values.size < 2 || values.size > kindsMax || filled < rows) return undefined;
  // What is not paid or sent yet is an invoice too.
  if (words.includes('payment') || words.includes('delivery')) return undefined;
  const all = [...values];
  const names = namesOf(header, column, database);
  const isNamed = all.every((value) => names.has(value));
  if (kind === 'text' || isNamed) {
    const prefix = isNamed ? 0 : commonPrefix(all).length;
    const textOf = (value: string) => (isNamed ? names.get(value)! : value.slice(prefix));
    const final = all.filter((value) => finalText.test(textOf(value)));
    const drafts = all.filter((value) => draftText.test(textOf(value)));
    const others = all.filter((value) => !final.includes(value) && !drafts.includes(value));
    const isTelling =
      final.length === 1 &&
      drafts.length > 0 &&
      others.every((value) => isUnfinished(header, column, value, final[0]!));
    if (isTelling) return { column, value: final[0]! };
    // One word that is unknown, beside drafts or cancelled ones.
    const rest = all.filter((value) => !draftText.test(textOf(value)));
    const isState = words.includes('status') || words.includes('state');
    if (isState && rest.length === 1 && drafts.length > 0 && textOf(rest[0]!).length > 2) {
      return { column, value: rest[0]! };
    }
  }
  const isFlag = isMark(values);
  const off = all.find((value) => offText.test(value));
  if (isFlag && (words.includes('draft') || words.includes('quote'))) {
    return { column, value: off! };
  }
  const mark = deletedMark(header, column);
  if (mark !== undefined) return mark;
  if (isFlag && words.every((word) => finalWords.has(word))) {
    return { column, value: all.find((value) => onText.test(value))! };
  }
  // 0 draft, 1 submitted, 2 cancelled.
  const isDocStatus = /docstatus/i.test(column) && values.has('1');
  return isDocStatus ? { column, value: '1' } : undefined;
}
