import type { SourceRow } from '@drawbridge/records/document.ts';
import type { ConnectorFault } from '../contract.ts';

/** What a file, read as a whole, holds. */
export type WholeContent =
  /** Rows of a table, to be told apart. */
  | { readonly kind: 'rows'; readonly rows: readonly SourceRow[] }
  | { readonly kind: 'documents'; readonly documents: readonly WholeDocument[] }
  | { readonly kind: 'unusable'; readonly fault: ConnectorFault };

/** A document as it stands in a file. */
export interface WholeDocument {
  readonly ref: string;
  readonly sections: Readonly<Record<string, readonly SourceRow[]>>;
  /** The file itself, where it is XML. */
  readonly xml?: string;
}
