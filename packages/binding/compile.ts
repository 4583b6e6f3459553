import type { AttributeShape, Shape, Target } from '@drawbridge/cim/node.ts';
import { memberName } from '@drawbridge/cim/path.ts';
import { type Datatype, type Term, type TermRow, terms } from '@drawbridge/cim/terms.ts';
import type { Row, SyntaxTable } from './table.ts';

/**
 * A syntax table joined with the terms. Emitter, parser, XSD, locations and field list all use it.
 */
export interface Binding {
  readonly table: SyntaxTable;
  readonly root: Shape;
  /** Namespace URI → prefix. */
  readonly prefixes: ReadonlyMap<string, string>;
  /** Shapes by business term. */
  readonly byTerm: ReadonlyMap<Term, Shape>;
}

/** Computes a value of a binding once, at the first use. */
export function perBinding<T extends object>(
  find: (binding: Binding) => T,
): (binding: Binding) => T {
  const known = new WeakMap<Binding, T>();
  return (binding) => {
    let found = known.get(binding);
    if (found === undefined) known.set(binding, (found = find(binding)));
    return found;
  };
}

/** A `Shape` while it is compiled, still mutable. */
type Draft = {
  -readonly [Key in keyof Shape]: Shape[Key];
} & { members: Shape[]; byElement: Map<string, Shape> };

/** Joins a table with the terms, once at start; all documents of the type share the shapes. */
export function compile(table: SyntaxTable): Binding {
  const root = draft({ name: '', element: table.root, kind: 'group' });
  const byTerm = new Map<Term, Shape>();
  addMembers(root, table.rows, byTerm);
  number(root, 0);
  return {
    table,
    root,
    byTerm,
    prefixes: new Map(Object.entries(table.namespaces).map(([prefix, uri]) => [uri, prefix])),
  };
}

/** Numbers the shapes from `next`; returns the number after the last. */
function number(shape: Draft, next: number): number {
  shape.number = next;
  return shape.members.reduce((after, member) => number(member as Draft, after), next + 1);
}

function addMembers(parent: Draft, rows: readonly Row[], byTerm: Map<Term, Shape>): void {
  for (const row of rows) {
    const shape = draft({ ...meaning(row), element: row.element, parent });
    shape.slot = parent.members.length;
    shape.min = row.card.startsWith('1') ? 1 : 0;
    shape.max = row.card.endsWith('n') ? Number.POSITIVE_INFINITY : 1;
    if (row.row === 'bind') {
      shape.fixed = row.fixed;
      shape.currency = row.currency;
      shape.attributes = Object.entries(row.attributes).map(attributeShape);
      for (const attribute of shape.attributes) byTerm.set(attribute.term, shape);
    }
    parent.members.push(shape);
    parent.byElement.set(row.element, shape);
    if (row.row !== 'wrap') byTerm.set(row.term, shape);
    if (row.row !== 'bind') addMembers(shape, row.rows, byTerm);
  }
}

function meaning(row: Row): Pick<Shape, 'name' | 'kind' | 'term' | 'datatype' | 'many'> {
  if (row.row === 'wrap') {
    return { name: row.name, kind: 'wrap', term: undefined, datatype: 'group', many: false };
  }
  const [path, datatype]: TermRow = terms[row.term];
  return {
    name: memberName(path),
    kind: row.row === 'bind' ? 'value' : 'group',
    term: row.term,
    datatype,
    many: path.endsWith('[]'),
  };
}

function attributeShape([attribute, term]: [string, Term]): AttributeShape {
  const [path, datatype]: TermRow = terms[term];
  return { attribute, name: memberName(path), term, datatype };
}

function draft(given: Pick<Shape, 'name' | 'element' | 'kind'> & Partial<Draft>): Draft {
  return {
    term: undefined,
    datatype: 'group' as Datatype,
    many: false,
    min: 1,
    max: 1,
    fixed: undefined,
    currency: 'document',
    attributes: [],
    parent: undefined,
    number: 0,
    slot: 0,
    members: [],
    byElement: new Map<string, Shape>(),
    targets: new Map<string, Target>(),
    ...given,
  };
}
