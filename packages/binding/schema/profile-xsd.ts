import type { Shape } from '@drawbridge/cim/node.ts';
import { type TermRow, terms } from '@drawbridge/cim/terms.ts';
import type { Binding } from '../compile.ts';
import { leaf, leafTypeTags } from './leaf-types.ts';
import { element, schema, sequence, type Tag } from './xsd-text.ts';

/** The schema of one document type: a main file and one file for each imported namespace. */
export interface PrintedXsd {
  readonly main: string;
  /** By the file name that `main` imports. */
  readonly imports: Readonly<Record<string, string>>;
}

/**
 * Prints the W3C XML Schema of a binding: UBL 2.1's own cardinalities, order and data types for the
 * bound elements, each with its business term. Groups of the document and leaves are global
 * elements as in UBL; groups inside groups are local, because their members differ by place.
 */
export function printXsd(binding: Binding): PrintedXsd {
  const { table, root } = binding;
  const { cac, cbc } = table.namespaces;
  const groups = root.members.filter((shape) => shape.kind !== 'value');
  const main = schema(
    table.namespace,
    table.namespaces,
    ['cac', 'cbc'],
    [element({ name: table.root }, [sequence(root.members.map(reference))])],
  );
  return {
    main,
    imports: {
      'cac.xsd': schema(
        cac!,
        table.namespaces,
        ['cbc'],
        groups.map((shape) => group(shape, {})),
      ),
      'cbc.xsd': schema(cbc!, {}, [], [...leafTypeTags, ...leaves(root)]),
    },
  };
}

function reference(shape: Shape): Tag {
  return { ...element({ ref: shape.element, ...occurs(shape) }), ...meaning(shape) };
}

function group(shape: Shape, occurrence: Tag['attributes']): Tag {
  const members = shape.members.map((each) =>
    each.kind === 'value' ? reference(each) : group(each, occurs(each)),
  );
  const attributes = { name: localName(shape), ...occurrence };
  return { ...element(attributes, [sequence(members)]), ...meaning(shape) };
}

/** Business terms of an element and its attributes. */
function meaning(shape: Shape): Pick<Tag, 'comment'> {
  if (shape.term === undefined) return {};
  const [, , name]: TermRow = terms[shape.term];
  const attributes = shape.attributes.map(({ attribute, term }) => `, @${attribute} ${term}`);
  return { comment: `${shape.term} ${name}${attributes.join('')}` };
}

function occurs(shape: Shape): Tag['attributes'] {
  return {
    ...(shape.min === 1 ? {} : { minOccurs: '0' }),
    ...(shape.max === 1 ? {} : { maxOccurs: 'unbounded' }),
  };
}

function localName(shape: Shape): string {
  return shape.element.slice(shape.element.indexOf(':') + 1);
}

function leaves(root: Shape): Tag[] {
  const names = new Set<string>();
  const collect = (shape: Shape): void => {
    for (const each of shape.members) {
      if (each.kind === 'value') names.add(localName(each));
      else collect(each);
    }
  };
  collect(root);
  return [...names].sort().map(leaf);
}
