/** Drafts of answers and notes, kept in this window alone for the same person, so that a reload loses none. */

/** What somebody has begun to write in a conversation. */
export interface Drafts {
  readonly text: string;
  readonly note: string;
  /** Of the answer: a repeat after a lost answer of the server has the key of before, and sends nothing twice. */
  readonly key: string;
}

const place = 'drawbridge-inbox-drafts';
/** In all; a browser keeps some five million characters for a page. */
const charactersMax = 1_000_000;

interface Kept {
  readonly userId: string;
  readonly drafts: readonly (readonly [conversation: string, drafts: Drafts])[];
}

/** Those in which something stands, the latest ones first as far as there is room. */
export function keepDrafts(userId: string, begun: ReadonlyMap<string, Drafts>): void {
  let room = charactersMax;
  const written = [...begun].filter(([, { text, note }]) => text !== '' || note !== '');
  const drafts = written
    .toReversed()
    .filter(([, { text, note }]) => {
      room -= text.length + note.length;
      return room >= 0;
    })
    .toReversed();
  if (drafts.length === 0) forgetDrafts();
  else sessionStorage.setItem(place, JSON.stringify({ userId, drafts } satisfies Kept));
}

/** What was kept of that person; what was kept of another one is gone. */
export function keptDrafts(userId: string): Kept['drafts'] {
  const kept = sessionStorage.getItem(place);
  if (kept === null) return [];
  const { userId: owner, drafts } = JSON.parse(kept) as Kept;
  if (owner === userId) return drafts;
  forgetDrafts();
  return [];
}

export function forgetDrafts(): void {
  sessionStorage.removeItem(place);
}
