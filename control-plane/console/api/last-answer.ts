/**
 * A request that tells of a person prolongs the session, of whichever window of the browser. Whoever shows when the
 * session ends hears of the answers to all of these.
 */

type Listener = () => void;

const listeners = new Set<Listener>();
const windows = new BroadcastChannel('drawbridge-answers');
windows.onmessage = () => tell();

/** An answer to such a request came; one that says that nobody is signed in prolongs nothing. */
export function noteAnswer({ status }: Response): void {
  if (status === 401) return;
  tell();
  windows.postMessage(null);
}

function tell(): void {
  for (const listener of listeners) listener();
}

/** Calls it at each answer until the function that it gives back is called. */
export function onAnswer(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
