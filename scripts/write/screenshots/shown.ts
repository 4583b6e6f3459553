/** Ids of what the pictures show. */
export interface Shown {
  readonly invoice: string;
  readonly connector: string;
  readonly conversation: string;
  readonly callFlow: string;
}
