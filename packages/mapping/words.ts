import { conceptsOf, conceptsOfCompound } from './concepts.ts';
import { conceptsOfMisspelt } from './misspelling.ts';
import { rememberedByName } from './remembered.ts';
import { noiseWords, type Role, roleWords } from './vocabulary.ts';

const nameLengthMax = 200;
/** Words of a phrase that may stand apart: `mata_wang`, `Post Code`. */
const phraseWordsMax = 3;

/**
 * The words of a column's or table's name, in one spelling and language: `BillToCustNo` → invoice
 * buyer number, `kundennr` → buyer number, `fecha_vencimiento` → date due date.
 */
export const wordsOf = rememberedByName((name): readonly string[] =>
  meaningsOf(writtenWords(name)).filter((word) => !noiseWords.has(word)),
);

/**
 * The words of a name as they are written, in small letters and without accents: `BillToVATNo` and
 * `bill-to_vat no` → bill, to, vat, no.
 */
export function writtenWords(name: string): readonly string[] {
  return name
    .slice(0, nameLengthMax)
    .replaceAll('ß', 'ss')
    .replace(/\bn[°º]/gi, ' number ')
    .replace(/[äÄ]/g, 'ae')
    .replace(/[öÖ]/g, 'oe')
    .replace(/[üÜ]/g, 'ue')
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/([A-Za-z])(\d)/g, '$1 $2')
    .replace(/%/g, ' percent ')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.replace(/^0+(?=\d+$)/, '')); // ADDR01 is the first line of an address
}

function meaningsOf(words: readonly string[]): string[] {
  const found: string[] = [];
  let at = 0;
  while (at < words.length) {
    const [count, meaning] = meaningAt(words, at);
    found.push(...meaning);
    at += count;
  }
  return found;
}

function meaningAt(words: readonly string[], at: number): [number, readonly string[]] {
  for (let count = Math.min(phraseWordsMax, words.length - at); count > 1; count--) {
    const meaning = conceptsOf(words.slice(at, at + count).join(''));
    if (meaning !== undefined) return [count, meaning];
  }
  const word = words[at]!;
  return [1, conceptsOf(word) ?? conceptsOfCompound(word) ?? conceptsOfMisspelt(word) ?? [word]];
}

/** The owner of a section's data: by its own name, else by its table's. */
export function roleOf(section: string, origin: string): Role {
  for (const name of [section, origin]) {
    const plain = name.toLowerCase().split(/[^a-z0-9]+/);
    for (const word of [...plain, ...wordsOf(name)]) {
      if (Object.hasOwn(roleWords, word)) return roleWords[word]!;
    }
  }
  return 'document';
}

/** How much two sets of words have in common, 0 to 1. */
export function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((word) => b.has(word)).length;
  return common === 0 ? 0 : common / (a.size + b.size - common);
}
