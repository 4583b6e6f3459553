/** What became of a try to have a recording transcribed; after `pending` and `unclear` it is tried again. */
export type TranscriptionOutcome =
  | { readonly kind: 'pending' }
  | { readonly kind: 'completed'; readonly text: string; readonly language?: string | undefined }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'unclear'; readonly reason: string };
