/** A document as the source lists it. */
export interface ListedDocument {
  readonly ref: string;
  /** What grows when it changes, as the source tells it; null where it tells nothing. */
  readonly version: string | null;
}
