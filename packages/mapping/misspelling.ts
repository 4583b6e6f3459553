import { conceptsOf, knownWords } from './concepts.ts';

/** Letters of a word that may be misspelt, at least: of shorter ones too many are words of their own. */
const misspeltMin = 5;
/** Letters from which one may be another letter, and from which two may be missing, doubled or swapped. */
const lengths = { changed: 7, two: 9 } as const;

/** Words that are near to a known one, and are words of their own. */
const ownWords: ReadonlySet<string> = new Set(
  `changes condition concepts connected connecting contribute counties department descriptors enterprise identities
    impossible isactive origin percentile porting ports produces reverse shopping skipped stars tariff`.split(
    /\s+/,
  ),
);

const byLetter = Map.groupBy(
  knownWords().filter((word) => word.length >= misspeltMin),
  (word) => word[0]!,
);

/**
 * What a word means that differs from a known one by a letter that is missing, doubled, changed or swapped;
 * undefined where it is near to words that mean different things.
 *
 *   conceptsOfMisspelt('cuntry') // ['country']
 */
export function conceptsOfMisspelt(word: string): readonly string[] | undefined {
  if (word.length < misspeltMin || /\d/.test(word) || ownWords.has(word)) return undefined;
  const near = (byLetter.get(word[0]!) ?? []).filter((known) => isMisspelt(word, known));
  const meanings = new Map(near.map((known) => [conceptsOf(known)!.join(' '), known]));
  const [known, ...others] = meanings.values();
  return known === undefined || others.length > 0 ? undefined : conceptsOf(known);
}

function isMisspelt(word: string, known: string): boolean {
  // Other forms of a word end with another letter, as `change` of `changed`.
  if (word.at(-1) !== known.at(-1)) return false;
  const mended = oneMended(word, known);
  if (mended.includes(known)) return true;
  if (word.length >= lengths.changed && isOneChanged(word, known)) return true;
  const isLong = Math.min(word.length, known.length) >= lengths.two;
  return isLong && mended.some((one) => oneMended(one, known).includes(known));
}

function isOneChanged(word: string, known: string): boolean {
  const changed = [...word].filter((letter, at) => letter !== known[at]);
  return word.length === known.length && changed.length === 1;
}

/** The word with the first letter that differs mended: written in, left out as doubled, or swapped with the next. */
function oneMended(word: string, known: string): readonly string[] {
  const at = [...word].findIndex((letter, place) => letter !== known[place]);
  if (at === -1) return [];
  const [before, letter, rest] = [word.slice(0, at), word[at]!, word.slice(at + 1)];
  return [
    before + known[at] + letter + rest,
    ...(letter === before.at(-1) ? [before + rest] : []),
    ...(rest === '' ? [] : [before + rest[0] + letter + rest.slice(1)]),
  ];
}
