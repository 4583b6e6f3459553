import type { Diagnostic, Notes } from './diagnostic.ts';
import { type Endpoint, readEndpoint } from './endpoint.ts';
import type { Segment } from './segment.ts';
import { variablesIn } from './variables.ts';

/** What comes back to a wait, and moves the flow on: the last word of its address. */
export type WaitEvent = 'gathered' | 'dialed' | 'recorded' | 'left' | 'continued';
/** What comes beside it, and moves nothing: how a dialled leg stands, a recording that is ready. */
export type NoticeEvent = 'leg' | 'recording';

/** All that a printer gets: a segment and where its answers go. */
export interface Printing {
  readonly segment: Segment;
  readonly notes: Notes;
  /** The number shown to who is dialled, where the node names none. */
  readonly callerId?: string;
  urlOf(node: string, event: WaitEvent | NoticeEvent): string;
}

/** A document as a provider wants it, and the most it may measure. */
export interface Printer {
  readonly contentType: string;
  /** In bytes of UTF-8. */
  readonly sizeMax: number;
  /** After so long the target ends any call. */
  readonly callSecondsMax: number;
  /** In characters, of a document within the request that places the call. */
  readonly inlineMax?: number;
  print(printing: Printing): string;
}

/** The same address, told that nothing was pressed or said. */
export function withEmpty(url: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}empty=1`;
}

/** Whom to dial; `open` still holds a variable without a value: a preview, not a call. */
export type Party = Endpoint | { readonly kind: 'open'; readonly text: string };

/** Reads whom to dial, as the segment has it. */
export function partyOf(to: string): Party {
  return readEndpoint(to) ?? { kind: 'open', text: to };
}

/** The number to show, in the form the target wants; left out when it is none. */
export function callerIdOf(
  given: string | undefined,
  form: 'e164' | 'digits',
  node: string,
  notes: Notes,
): string | undefined {
  const endpoint = given === undefined ? undefined : readEndpoint(given);
  if (endpoint?.kind === 'number') return endpoint[form];
  if (given !== undefined && variablesIn(given).length === 0) {
    notes.tell('E_NUMBER', node, `${JSON.stringify(given)} is not + and 7 to 15 digits`);
  }
  return undefined;
}

/** The text, cut where the target would refuse it. */
export function textWithin(text: string, max: number, node: string, notes: Notes): string {
  if (text.length <= max) return text;
  notes.tell('E_TEXT', node, `${text.length} characters to speak; at most ${max}`);
  return text.slice(0, max).toWellFormed();
}

/** Tells when a target that knows one finish key is given several, and which one it gets. */
export function oneFinishKey(keys: string, node: string, notes: Notes): string {
  if (keys.length <= 1) return keys;
  const key = keys.includes('#') ? '#' : keys[0]!;
  notes.tell('W_FINISHKEY', node, `of ${keys} only ${key} ends the input`);
  return key;
}

/** Diagnostics said once each. */
export function distinct(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Map(diagnostics.map((each) => [JSON.stringify(each), each]));
  return [...seen.values()];
}
