import { useSyncExternalStore } from 'react';
import { newKey } from '../../api/new-key.ts';

/** What somebody has begun to write in a conversation. */
export interface Drafts {
  readonly text: string;
  readonly note: string;
  /** Of the answer: a repeat after a lost answer of the server has the key of before, and sends nothing twice. */
  readonly key: string;
}

const conversationsMax = 100;
/** Until the page is left: who looks into another conversation, or at another page, finds them again. */
const begun = new Map<string, Drafts>();
const listeners = new Set<() => void>();

/** The drafts of a conversation, and how they are changed. */
export function useDrafts(
  conversation: string,
): readonly [Drafts, (change: Partial<Drafts>) => void] {
  const drafts = useSyncExternalStore(listen, () => draftsOf(conversation));
  return [drafts, (change) => changeDrafts(conversation, change)];
}

export function draftsOf(conversation: string): Drafts {
  const known = begun.get(conversation);
  if (known !== undefined) return known;
  const empty = { text: '', note: '', key: newKey() };
  begun.set(conversation, empty);
  const [oldest] = begun.keys();
  if (begun.size > conversationsMax) begun.delete(oldest!);
  return empty;
}

function changeDrafts(conversation: string, change: Partial<Drafts>): void {
  const drafts = { ...draftsOf(conversation), ...change };
  begun.delete(conversation);
  begun.set(conversation, drafts);
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** What is left of a draft once a text was sent: nothing, or what was written while it was on its way. */
export function afterSending(draft: string, sent: string): string {
  const begin = draft.trimStart();
  return begin.startsWith(sent) ? begin.slice(sent.length).trimStart() : draft;
}
