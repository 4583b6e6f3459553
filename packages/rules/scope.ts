import type { Node } from '@drawbridge/cim/node.ts';

/** Codes by the name of their list. */
export type CodeLists = Readonly<Record<string, ReadonlySet<string>>>;

/** What a rule may read besides its own node. */
export interface Scope {
  readonly root: Node;
  /** Code lists of the profile, by name. */
  readonly lists: CodeLists;
  /** The values that `perDocument` has computed so far. */
  readonly facts: unknown[];
  /** Every element of that name in the document, bound or not, e.g. `cac:TaxCategory`. */
  readonly everywhere: (element: string) => readonly Node[];
}

/** A question on one node. Throws `DynamicError` where the authority's expression fails. */
export type Test = (node: Node, scope: Scope) => boolean;
