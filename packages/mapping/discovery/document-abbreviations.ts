import { conceptsOf } from '../concepts.ts';
import { rememberedByName } from '../remembered.ts';
import { writtenWords } from '../words.ts';

/** Sides of the trade as modules of an ERP are cut: SL_IV is of sales, PH_PI of purchases. */
const sides: ReadonlyMap<string, readonly string[]> = new Map([
  ['sl', []],
  ['ar', []],
  ['sales', []],
  ['ph', ['supplier']],
  ['ap', ['supplier']],
  ['pur', ['supplier']],
  ['purch', ['supplier']],
]);

/** Documents as they are cut, with their side where the letters say it. */
const documents: ReadonlyMap<string, readonly string[]> = new Map([
  ['iv', ['invoice']],
  ['inv', ['invoice']],
  ['si', ['invoice']],
  ['pi', ['supplier', 'invoice']],
  ['so', ['order']],
  ['po', ['supplier', 'order']],
  ['do', ['delivery']],
  // A delivery note, or a debit note.
  ['dn', ['delivery']],
  ['cn', ['credit']],
  ['sr', ['credit']],
  ['qt', ['quote']],
  ['sq', ['quote']],
  ['pq', ['supplier', 'quote']],
  ['gr', ['supplier', 'delivery']],
  ['grn', ['supplier', 'delivery']],
]);

const parts: ReadonlyMap<string, readonly string[]> = new Map([
  ['', []],
  ['dtl', ['line']],
  ['det', ['line']],
  ['ln', ['line']],
  ['lines', ['line']],
  ['hdr', ['parent']],
  ['hd', ['parent']],
]);

/**
 * What letters in the name of a table say, of which each alone may be anything: a document behind its side of the
 * trade, or before its part. Whoever calls tables so has one for each kind of document, with the same columns.
 *
 *   abbreviatedDocument('SL_IVDTL') // ['invoice', 'line']
 *   abbreviatedDocument('PH_PI') // ['supplier', 'invoice']
 */
export const abbreviatedDocument = rememberedByName((table): readonly string[] => {
  const words = writtenWords(table);
  return words.flatMap((word, at) => {
    const side = sides.get(words[at - 1] ?? '');
    const cut = cutDocument(word, words[at + 1]);
    if (cut === undefined) {
      const isDocument = conceptsOf(word)?.some((one) => documentWords.has(one)) === true;
      return side !== undefined && isDocument ? side : [];
    }
    return side !== undefined || cut.isPart ? [...(side ?? []), ...cut.words] : [];
  });
});

/**
 * What the letters of a table say that alone may be anything, where its lines are called after it.
 *
 *   abbreviatedByLines('IV', 'IVDTL') // ['invoice']
 */
export function abbreviatedByLines(table: string, lines: string): readonly string[] {
  const [own, theirs] = [table.toLowerCase(), lines.toLowerCase()];
  const end = theirs.startsWith(own) ? theirs.slice(own.length).replace(/^_/, '') : '';
  if (end === '' || !parts.has(end)) return [];
  return abbreviatedDocument(lines).filter((word) => word !== 'line');
}

const documentWords: ReadonlySet<string> = new Set(['invoice', 'order', 'credit', 'quote']);

function cutDocument(
  word: string,
  next: string | undefined,
): { readonly words: readonly string[]; readonly isPart: boolean } | undefined {
  for (const [end, part] of parts) {
    const document = word.endsWith(end)
      ? documents.get(word.slice(0, word.length - end.length))
      : undefined;
    if (document === undefined) continue;
    const isPart = end !== '' || (next !== undefined && next !== '' && parts.has(next));
    return { words: [...document, ...part], isPart };
  }
  return undefined;
}
