import type { Term } from '@drawbridge/cim/terms.ts';

/** UBL's own cardinality (stage 1). What a profile narrows is a rule (stage 2). */
export type Cardinality = '0..1' | '1..1' | '0..n' | '1..n';

/** An element that holds a business term's value. */
export interface Bind {
  readonly row: 'bind';
  readonly term: Term;
  readonly card: Cardinality;
  /** Prefixed element name, e.g. `cbc:ID`. */
  readonly element: string;
  /** XML attribute → the term it holds. */
  readonly attributes: Readonly<Record<string, Term>>;
  /** Written when the CIM has no value but the group around it exists; read back as data. */
  readonly fixed?: string;
  /** Currency of an amount whose CIM value names none. */
  readonly currency: 'document' | 'accounting';
}

/** An element that holds a business group. */
export interface Group {
  readonly row: 'group';
  readonly term: Term;
  readonly card: Cardinality;
  readonly element: string;
  readonly rows: readonly Row[];
}

/**
 * An element of the syntax that the model has no group for: its members belong to the group around
 * it.
 */
export interface Wrap {
  readonly row: 'wrap';
  /** How rules call it when they must look at the wrapper itself. */
  readonly name: string;
  readonly card: Cardinality;
  readonly element: string;
  readonly rows: readonly Row[];
}

/** One line of a table. */
export type Row = Bind | Group | Wrap;

/** A document type of a syntax: its root element, its namespaces and its rows in element order. */
export interface SyntaxTable {
  readonly root: string;
  readonly namespace: string;
  readonly namespaces: Readonly<Record<string, string>>;
  readonly rows: readonly Row[];
  /** All that the standard has, bound or not: what others send is held to it. */
  readonly standard?: Vocabulary;
}

/**
 * Which elements a standard has in which, in order. Members are separated by blanks and carry their
 * cardinality: nothing for one, `?`, `*` or `+`.
 */
export interface Vocabulary {
  /** By name of the root element. */
  readonly documents: Readonly<Record<string, string>>;
  /** By name of the type. */
  readonly aggregates: Readonly<Record<string, string>>;
  /** Elements that are not called like their type. */
  readonly typeOf: Readonly<Record<string, string>>;
}

interface BindOptions {
  readonly attributes?: Readonly<Record<string, Term>>;
  readonly fixed?: string;
  readonly currency?: 'document' | 'accounting';
}

/** A row for a value; amounts are in the currency of the document unless `options` say other. */
export function bind(
  term: Term,
  card: Cardinality,
  element: string,
  options: BindOptions = {},
): Bind {
  const { attributes = {}, currency = 'document', ...rest } = options;
  return { row: 'bind', term, card, element, attributes, currency, ...rest };
}

/** A row for a business group. */
export function group(term: Term, card: Cardinality, element: string, rows: readonly Row[]): Group {
  return { row: 'group', term, card, element, rows };
}

/** A row for an element that only the syntax has. */
export function wrap(name: string, card: Cardinality, element: string, rows: readonly Row[]): Wrap {
  return { row: 'wrap', name, card, element, rows };
}
