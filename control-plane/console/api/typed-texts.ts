/**
 * What somebody has typed and not sent, when the session ends by itself: kept in this window alone, and given back to
 * the same person after the next sign-in.
 */

const place = 'drawbridge-typed-texts';
const textsMax = 20;
const lengthMax = 50_000;

export interface TypedText {
  readonly label: string;
  readonly text: string;
}

interface Kept {
  readonly userId: string;
  readonly texts: readonly TypedText[];
}

type TextElement = HTMLInputElement | HTMLTextAreaElement;

let typed: readonly TextElement[] = [];
let whose: string | undefined;

/** Notes from now on which fields that person types in; gives back how to end it. */
export function watchTypedTexts(userId: string): () => void {
  const note = ({ target }: Event) => {
    if (!isText(target)) return;
    typed = [...typed.filter((each) => each !== target && each.isConnected), target];
  };
  whose = userId;
  document.addEventListener('input', note);
  return () => document.removeEventListener('input', note);
}

/** Never a password: those are of another type. */
function isText(target: EventTarget | null): target is TextElement {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && ['text', 'search', 'url'].includes(target.type);
}

/** Keeps what still stands in those fields. */
export function keepTypedTexts(): void {
  const texts = typed
    .filter((each) => each.isConnected && each.value.trim() !== '')
    .slice(-textsMax)
    .map((each) => ({
      label: each.labels?.[0]?.textContent ?? '',
      text: each.value.slice(0, lengthMax),
    }));
  if (whose === undefined || texts.length === 0) return;
  sessionStorage.setItem(place, JSON.stringify({ userId: whose, texts } satisfies Kept));
}

/** What was kept of that person, once; what was kept of another one is gone. */
export function takeTypedTexts(userId: string): readonly TypedText[] {
  const kept = sessionStorage.getItem(place);
  sessionStorage.removeItem(place);
  if (kept === null) return [];
  const { userId: owner, texts } = JSON.parse(kept) as Kept;
  return owner === userId ? texts : [];
}
