import type { Term } from '@drawbridge/cim/terms.ts';

/** UBL's own cardinality (stage 1). Restrictions of a profile are rules (stage 2). */
export type Cardinality = '0..1' | '1..1' | '0..n' | '1..n';

/** An element that holds a business term's value. */
export interface Bind {
  readonly row: 'bind';
  readonly term: Term;
  readonly card: Cardinality;
  /** Prefixed element name, e.g. `cbc:ID`. */
  readonly element: string;
  /** XML attribute → its term. */
  readonly attributes: Readonly<Record<string, Term>>;
  /** Written when the group exists and the CIM has no value for it; read back as data. */
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
 * An element of the syntax without a group in the model: its members belong to the group around it.
 */
export interface Wrap {
  readonly row: 'wrap';
  /** The name that rules use for the wrap itself. */
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
  /** The whole standard, also what is not bound, for documents of others. */
  readonly standard?: Vocabulary;
}

/** The elements and types of a standard, with their contents in the notation of `Module.types`. */
export interface Vocabulary {
  /** Contents by name of the root element; its type has the same name followed by `Type`. */
  readonly documents: Readonly<Record<string, string>>;
  /** Modules by prefix; each uses only those before it. */
  readonly modules: Readonly<Record<string, Module>>;
}

/** A namespace of a standard. Lists of names are separated by blanks. */
export interface Module {
  readonly namespace: string;
  /** Elements by the type that their own type (their name followed by `Type`) extends. */
  readonly leaves?: Readonly<Record<string, string>>;
  /** Elements by their type. */
  readonly elements?: Readonly<Record<string, string>>;
  /**
   * The content of each type by its name, separated by blanks. Elements in order: `cac:Party` by
   * reference, `City=xs:string` local, `##any` or `##other` from any (other) namespace, which with
   * `:lax` need not be declared; followed by `?`, `*` or `+` when not exactly one; groups in `(`
   * and
   * `)`, alternatives separated by `|`. Before the elements `mixed` or `abstract`; `>xs:date` is
   * text of that type, `<cct:CodeType` restricts that type, `=xs:string` restricts one without
   * attributes to the values that follow in quotes. After the elements attributes:
   * `@URI:xs:anyURI`, mandatory with `!`; `@any` is any declared one.
   */
  readonly types?: Readonly<Record<string, string>>;
}

interface BindOptions {
  readonly attributes?: Readonly<Record<string, Term>>;
  readonly fixed?: string;
  readonly currency?: 'document' | 'accounting';
}

/** A row for a value; amounts are in the currency of the document unless `options` name another. */
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

/** A row for an element of the syntax without a group in the model. */
export function wrap(name: string, card: Cardinality, element: string, rows: readonly Row[]): Wrap {
  return { row: 'wrap', name, card, element, rows };
}
