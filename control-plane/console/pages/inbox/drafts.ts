import { useSyncExternalStore } from 'react';
import { type Drafts, keepDrafts, keptDrafts } from '../../api/kept-drafts.ts';
import { newKey } from '../../api/new-key.ts';

const conversationsMax = 100;
/** Who looks into another conversation, or at another page, finds them again, also after a reload. */
const begun = new Map<string, Drafts>();
let owner: string | undefined;
const listeners = new Set<() => void>();

/** The drafts of a person in a conversation, and how they are changed. */
export function useDrafts(
  userId: string,
  conversation: string,
): readonly [Drafts, (change: Partial<Drafts>) => void] {
  restoreDrafts(userId);
  const drafts = useSyncExternalStore(listen, () => draftsOf(conversation));
  return [drafts, (change) => changeDrafts(conversation, change)];
}

/** Once, as long as the page is there: who signs in next gets a page of their own. */
function restoreDrafts(userId: string): void {
  if (owner === userId) return;
  owner = userId;
  begun.clear();
  for (const [conversation, drafts] of keptDrafts(userId)) begun.set(conversation, drafts);
  askOtherWindows();
}

/** The name by which the other windows know this one. */
const thisWindow = newKey();

/** Which drafts came with a page, or stay in the window that was there before. */
interface DraftsMessage {
  readonly from: string;
  /** None: asks all windows. */
  readonly to?: string;
  readonly keys: readonly string[];
}

let windows: BroadcastChannel | undefined;

/** A duplicated window begins with a copy of the first one's drafts, and their keys. They stay with the first. */
function askOtherWindows(): void {
  windows ??= new BroadcastChannel('drawbridge-inbox-drafts');
  windows.onmessage = ({ data }: MessageEvent<DraftsMessage>) => {
    const same = [...begun].filter(([, { key }]) => data.keys.includes(key));
    if (same.length === 0) return;
    if (data.to === thisWindow) forget(same.map(([conversation]) => conversation));
    if (data.to === undefined) tell({ to: data.from, keys: same.map(([, { key }]) => key) });
  };
  const keys = [...begun.values()].map(({ key }) => key);
  if (keys.length > 0) tell({ keys });
}

function tell(message: Omit<DraftsMessage, 'from'>): void {
  windows?.postMessage({ ...message, from: thisWindow } satisfies DraftsMessage);
}

function forget(conversations: readonly string[]): void {
  for (const conversation of conversations) begun.delete(conversation);
  if (owner !== undefined) keepDrafts(owner, begun);
  for (const listener of listeners) listener();
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
  if (owner !== undefined) keepDrafts(owner, begun);
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
