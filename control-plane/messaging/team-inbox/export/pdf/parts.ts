import type { ConversationDocument, DocumentPart, Entry } from './document.ts';

/** The most that goes into one file: more takes minutes, and hundreds of megabytes. */
export const partLimits = {
  entries: 5_000,
  /** Letters of text, by weight; one entry may exceed it. */
  text: 3_000_000,
  pictures: 500,
} as const;

/** The document in parts that each fit into a file; at least one. */
export function partsOf(document: ConversationDocument): DocumentPart[] {
  const { entries } = document;
  const starts = [0];
  let load = { entries: 0, text: 0, pictures: 0 };
  for (const [index, entry] of entries.entries()) {
    const own = loadOf(entry);
    const sum = added(load, own);
    const isFull = load.entries > 0 && limitNames.some((name) => sum[name] > partLimits[name]);
    if (isFull) starts.push(index);
    load = isFull ? own : sum;
  }
  return starts.map((start, index) => ({
    ...document,
    entries: entries.slice(start, starts[index + 1]),
    // Consents concern the whole document, so they are at its end.
    consents: index === starts.length - 1 ? document.consents : [],
    number: index + 1,
    count: starts.length,
    firstEntry: start + 1,
    entryCount: entries.length,
  }));
}

type Load = Record<keyof typeof partLimits, number>;

const limitNames = Object.keys(partLimits) as (keyof typeof partLimits)[];

/**
 * How much more work a character is than a Latin letter, as measured, so that no text can take a
 * file beyond the limits of the PDF worker.
 */
const weights = [
  { of: /[^\x20-\x7e]/g, more: 2 },
  { of: /[\n\r\u0085\u2028\u2029]/g, more: 80 },
  // Printed as their codes, or as wide as a line.
  { of: /[\p{Cc}\p{Cs}\p{Co}\u202d\u202e\u2e3a\u2e3b\ufdf0-\ufdff]/gu, more: 20 },
] as const;

function weightOf(text: string): number {
  const extra = weights.map(({ of, more }) => more * (text.match(of)?.length ?? 0));
  return extra.reduce((sum, each) => sum + each, text.length);
}

function loadOf({ text, media = [] }: Entry): Load {
  const pictures = media.filter(({ thumbnail, storedAt }) => thumbnail ?? storedAt).length;
  return { entries: 1, text: weightOf(text), pictures };
}

function added(one: Load, other: Load): Load {
  return {
    entries: one.entries + other.entries,
    text: one.text + other.text,
    pictures: one.pictures + other.pictures,
  };
}
