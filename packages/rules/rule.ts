import type { Node, Shape } from '@drawbridge/cim/node.ts';
import type { Term } from '@drawbridge/cim/terms.ts';
import type { Question } from './question.ts';

/** As the authority publishes it: `fatal` stops, `warning` is reported and never stops. */
export type Flag = 'fatal' | 'warning';

/** What a rule may look at beside its own node. */
export interface Scope {
  readonly root: Node;
  /** Code lists of the profile, by name. */
  readonly lists: CodeLists;
  /** What `perDocument` has computed so far. */
  readonly facts: unknown[];
  /** Every element of that name in the document, bound or not, e.g. `cac:TaxCategory`. */
  readonly everywhere: (element: string) => readonly Node[];
}

/**
 * A sum or a set that several rules ask for: computed when a document is first asked for it. A
 * `DynamicError` is raised anew for each rule that asks.
 */
export function perDocument<T extends object | string | boolean>(
  compute: (scope: Scope) => T,
): (scope: Scope) => T {
  const number = facts++;
  return (scope) => (scope.facts[number] ??= compute(scope)) as T;
}

let facts = 0;

/** How many facts rules may ask for. */
export function factCount(): number {
  return facts;
}

export type CodeLists = Readonly<Record<string, ReadonlySet<string>>>;

/** One published rule. It speaks of terms, never of XML. */
export interface Rule {
  /** The authority's id, e.g. `ibr-co-15`; a public contract, never reused. */
  readonly id: string;
  readonly flag: Flag;
  /** What it is about; the first says where the fault is shown. */
  readonly terms: readonly Term[];
  /** Our own sentence: what is wrong, in a person's words. */
  readonly message: string;
  /** What holds of each node that is right. */
  readonly holds: Asked;
}

/** What is asked of one node. Throws `DynamicError` where the authority's expression would. */
export type Test = (node: Node, scope: Scope) => boolean;

/** What is asked, as data: it is made ready, once at start, for the nodes of one shape. */
export interface Statement {
  readonly on: (shape: Shape) => Question;
}

/** What is asked: as data (statement.ts), or by a function of its own where that says too little. */
export type Asked = Statement | Test;

/** The nodes some rules look at. */
export interface Context {
  /**
   * Paths from the document (`''` is the document itself), or a question asked of each shape once.
   */
  readonly each: readonly string[] | ((shape: Shape) => boolean);
  /** What must hold of the document, whichever node is looked at. */
  readonly when?: (scope: Scope) => boolean;
  /** A code that the node must have; where contexts differ in it, it is read once for all. */
  readonly code?: Coded;
  readonly match?: Asked;
  /**
   * For a context of the document itself: what some node at or below it must be for any of the rules
   * to be broken, without errors. It is asked of all nodes on the way; most documents are spared the rules.
   */
  readonly sign?: Asked;
  readonly rules: readonly Rule[];
}

/** `of` is one function for all contexts that a pattern has for an element. */
export interface Coded {
  readonly of: (node: Node, scope: Scope) => string | undefined;
  readonly is: readonly string[];
}

/** In a pattern a node meets only the first context that it matches (ISO 19757-3, 6.5). */
export interface Pattern {
  readonly name: string;
  readonly contexts: readonly Context[];
}

/** A published set of rules in one version. */
export interface RuleSet {
  readonly id: string;
  readonly version: string;
  readonly patterns: readonly Pattern[];
  /** Published rules that no document can break, and why. */
  readonly notApplicable?: Readonly<Record<string, string>>;
}

/**
 * The authority's own expression would have stopped with an error here: there is no verdict, so the
 * rule fails.
 */
export class DynamicError extends Error {
  override readonly name = 'DynamicError';
}
