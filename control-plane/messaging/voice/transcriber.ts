/** Speech to text, where the operator has a service for it; none is built in. */

/** The transcription of a call, as it is shown. */
type Transcription =
  | { readonly status: 'not_configured' }
  | { readonly status: 'pending' }
  | { readonly status: 'completed'; readonly text: string; readonly language?: string }
  | { readonly status: 'failed'; readonly reason: string };

/** Turns a stored recording into text. */
export interface Transcriber {
  /** Called whenever a call is shown; an implementation caches its own results. */
  transcriptionOf(
    tenantId: string,
    recordings: readonly { readonly id: string; readonly object_key: string | null }[],
  ): Promise<Transcription>;
}

/** The default: no transcription. */
export const noTranscriber: Transcriber = {
  transcriptionOf: async () => ({ status: 'not_configured' }),
};
