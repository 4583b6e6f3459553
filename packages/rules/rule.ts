import type { Node, Shape } from '@drawbridge/cim/node.ts';
import type { Term } from '@drawbridge/cim/terms.ts';
import type { Question } from './language/question.ts';
import type { Scope, Test } from './scope.ts';

/** The published flag: a broken `fatal` rule rejects the document, a `warning` is only reported. */
export type Flag = 'fatal' | 'warning';

/**
 * A value that several rules use, such as a sum: computed once for each document, at the first use.
 * If that throws a `DynamicError`, it is thrown again for each rule.
 */
export function perDocument<T extends object | string | boolean>(
  compute: (scope: Scope) => T,
): (scope: Scope) => T {
  const number = facts++;
  return (scope) => (scope.facts[number] ??= compute(scope)) as T;
}

let facts = 0;

/** The number of `perDocument` values. */
export function factCount(): number {
  return facts;
}

/** One published rule, stated in terms and not in XML. */
export interface Rule {
  /** The authority's id, e.g. `ibr-co-15`; a public contract, never reused. */
  readonly id: string;
  readonly flag: Flag;
  /** The terms it concerns; the fault is shown at the first one. */
  readonly terms: readonly Term[];
  /** What is wrong, in plain words of this product. */
  readonly message: string;
  /** What is true of each valid node. */
  readonly holds: Asked;
  /** Of a rule on how an amount is written: the most digits after the decimal point. */
  readonly decimalsMax?: number;
}

/** A statement as data; it is prepared once, at start, for the nodes of each shape. */
export interface Statement {
  readonly on: (shape: Shape) => Question;
}

/** A statement as data (language/statement.ts), or a function where data cannot express it. */
export type Asked = Statement | Test;

/** The nodes to which some rules apply. */
export interface Context {
  /**
   * Paths from the document (`''` is the document itself), or a function called once for each
   * shape.
   */
  readonly each: readonly string[] | ((shape: Shape) => boolean);
  /** A condition on the document. */
  readonly when?: (scope: Scope) => boolean;
  /** A code that the node must have; contexts of a pattern that differ in it read it once. */
  readonly code?: Coded;
  readonly match?: Asked;
  /**
   * For a context of the document: if it is true of no node, no rule of the context can be broken.
   * It must not throw. It is evaluated for all nodes, so that most documents can skip the rules.
   */
  readonly trigger?: Asked;
  readonly rules: readonly Rule[];
}

/** The same function `of` for all contexts that a pattern has for an element. */
export interface Coded {
  readonly of: (node: Node, scope: Scope) => string | undefined;
  readonly is: readonly string[];
}

/** Contexts in order; only the first that a node matches applies to it (ISO 19757-3, 6.5). */
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
 * The authority's own expression stops with an error here. It gives no verdict, so the rule counts
 * as broken.
 */
export class DynamicError extends Error {
  override readonly name = 'DynamicError';
}
