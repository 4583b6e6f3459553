import type { Diagnostic, DiagnosticList } from './diagnostic.ts';
import { type Endpoint, readEndpoint } from './endpoint.ts';
import type { Segment } from './segment.ts';
import { variablesIn } from './variables.ts';

/** An answer to a wait, which moves the flow on; the last segment of its address. */
export type WaitEvent = 'gathered' | 'dialed' | 'recorded' | 'left' | 'continued';
/** An event that moves nothing: the status of a dialled leg, a recording or its text that is ready. */
export type NotificationEvent = 'leg' | 'recording' | 'transcription';

/** Everything that a printer gets: a segment, and the addresses for its answers. */
export interface PrintInput {
  readonly segment: Segment;
  readonly diagnostics: DiagnosticList;
  /** The number shown to the person dialled, where the node names none. */
  readonly callerId?: string;
  readonly transcription?: TranscriptionLanguage;
  urlOf(node: string, event: WaitEvent | NotificationEvent): string;
}

/** The language in which the provider itself turns a recording into text. */
export interface TranscriptionLanguage {
  /** As the provider writes it: `en-US`. */
  readonly language: string;
}

/** Prints documents for one target, and names the target's limits. */
export interface Printer {
  readonly contentType: string;
  /** In bytes of UTF-8. */
  readonly sizeMax: number;
  /** The target ends any call after this time. */
  readonly callSecondsMax: number;
  /** In characters; for a document inside the request that places the call. */
  readonly inlineMax?: number;
  print(printInput: PrintInput): string;
}

/** The same address, marked: nothing was pressed or said. */
export function withEmpty(url: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}empty=1`;
}

/** Whom to dial; `open` still has a variable without a value: a preview, not a call. */
export type Party = Endpoint | { readonly kind: 'open'; readonly text: string };

/** Reads whom to dial, as written in the segment. */
export function partyOf(to: string): Party {
  return readEndpoint(to) ?? { kind: 'open', text: to };
}

/** The number to show, in the target's form; undefined when it is not a number. */
export function callerIdOf(
  given: string | undefined,
  form: 'e164' | 'digits',
  node: string,
  diagnostics: DiagnosticList,
): string | undefined {
  const endpoint = given === undefined ? undefined : readEndpoint(given);
  if (endpoint?.kind === 'number') return endpoint[form];
  if (given !== undefined && variablesIn(given).length === 0) {
    diagnostics.add('E_NUMBER', node, `${JSON.stringify(given)} is not + and 7 to 15 digits`);
  }
  return undefined;
}

/** The elements of SSML, also those of Amazon's voices. */
const ssml =
  /<\/?(speak|break|prosody|say-as|emphasis|phoneme|sub|lang|voice|audio|mark|p|s|w|amazon:[\w-]+)\b[^<>]*>/i;

/** The text, cut to the length that the target accepts. Markup in it is a diagnostic. */
export function textWithin(
  text: string,
  max: number,
  node: string,
  diagnostics: DiagnosticList,
): string {
  const markup = ssml.exec(text)?.[0];
  if (markup !== undefined) diagnostics.add('E_SSML', node, `${markup} would be read aloud`);
  if (text.length <= max) return text;
  diagnostics.add('E_TEXT', node, `${text.length} characters to speak; at most ${max}`);
  return text.slice(0, max).toWellFormed();
}

/**
 * The one finish key for a target that knows only one; a diagnostic when the flow names several.
 */
export function oneFinishKey(keys: string, node: string, diagnostics: DiagnosticList): string {
  if (keys.length <= 1) return keys;
  const key = keys.includes('#') ? '#' : keys[0]!;
  diagnostics.add('W_FINISHKEY', node, `of ${keys} only ${key} ends the input`);
  return key;
}

/** The diagnostics without repeats. */
export function distinct(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Map(diagnostics.map((each) => [JSON.stringify(each), each]));
  return [...seen.values()];
}
