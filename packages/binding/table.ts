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

/** What a standard declares: elements and types, their contents in the notation of `Module.types`. */
export interface Vocabulary {
  /** Contents by name of the root element, whose type is called like it and `Type`. */
  readonly documents: Readonly<Record<string, string>>;
  /** By prefix; each names only what stands before it. */
  readonly modules: Readonly<Record<string, Module>>;
}

/** A namespace of a standard. Lists of names are separated by blanks. */
export interface Module {
  readonly namespace: string;
  /** Elements by the type that their own type, called like them and `Type`, extends. */
  readonly leaves?: Readonly<Record<string, string>>;
  /** Elements by their type. */
  readonly elements?: Readonly<Record<string, string>>;
  /**
   * What a type holds, by its name, separated by blanks. Elements in order: `cac:Party` by
   * reference, `City=xs:string` local, `##any` or `##other` from any (other) namespace, which with
   * `:lax` need not be declared; `?`, `*` or `+` behind for other than one; groups in `(` and `)`,
   * alternatives parted by `|`. Before them `mixed` or `abstract`; `>xs:date` is text of that type,
   * `<cct:CodeType` narrows that type, `=xs:string` narrows one without attributes, to the values
   * that follow in quotes. Behind them attributes, `@URI:xs:anyURI`, with `!` mandatory; `@any`
   * is any that is declared.
   */
  readonly types?: Readonly<Record<string, string>>;
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
