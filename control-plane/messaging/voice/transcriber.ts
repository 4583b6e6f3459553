/** Speech to text, where the operator has a service for it: none is built in. */

/** What is shown of a call's speech as text. */
export type Transcription =
  | { readonly status: 'not_configured' }
  | { readonly status: 'pending' }
  | { readonly status: 'completed'; readonly text: string; readonly language?: string }
  | { readonly status: 'failed'; readonly reason: string };

/** Turns a stored recording into text. */
export interface Transcriber {
  /** Asked whenever a call is shown; keeps what it found itself. */
  transcriptionOf(
    tenantId: string,
    recordings: readonly { readonly id: string; readonly object_key: string | null }[],
  ): Promise<Transcription>;
}

/** The honest default. */
export const noTranscriber: Transcriber = {
  transcriptionOf: async () => ({ status: 'not_configured' }),
};
