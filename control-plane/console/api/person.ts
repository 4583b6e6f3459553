/**
 * What a person does prolongs the session; what a page asks for by itself does not. The first request after a person
 * did something says so, and the server counts from it.
 */

const doings = ['pointerdown', 'keydown', 'wheel'] as const;

// Somebody has just opened the page.
let isUntold = true;

for (const doing of doings) {
  const noteDoing = ({ isTrusted }: Event) => {
    isUntold ||= isTrusted;
  };
  window.addEventListener(doing, noteDoing, { capture: true, passive: true });
}

/** Whether a person did something of which no request has told yet. */
export const hasPersonActed = (): boolean => isUntold;

/** Lets the request tell what a person did; false when they did nothing since another one told. */
export function tellOfPerson({ headers }: Request): boolean {
  if (!isUntold) return false;
  isUntold = false;
  headers.set('Person-Acted', '?1');
  return true;
}

/** The request that told of it was lost: the next one tells again. */
export function tellAgain(): void {
  isUntold = true;
}
