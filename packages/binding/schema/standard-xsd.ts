import type { Module, SyntaxTable, Vocabulary } from '../table.ts';
import type { PrintedXsd } from './profile-xsd.ts';
import { declaredType } from './standard-type.ts';
import { element, schema, type Tag } from './xsd-text.ts';

/**
 * Prints the schema of the whole standard for one document type. It accepts unbound elements as the
 * official schema does, and has the same names of elements and types, so that it also checks
 * extensions and `xsi:type`.
 */
export function printStandardXsd(table: SyntaxTable, vocabulary: Vocabulary): PrintedXsd {
  const modules = Object.entries(vocabulary.modules);
  const prefixes = modules.map(([prefix]) => prefix);
  const namespaces = Object.fromEntries(
    modules.map(([prefix, { namespace }]) => [prefix, namespace]),
  );
  const type = `${table.root}Type`;
  return {
    main: schema(table.namespace, namespaces, prefixes, [
      element({ name: table.root, type }),
      declaredType(type, vocabulary.documents[table.root]!),
    ]),
    imports: Object.fromEntries(
      modules.map(([prefix, module], index) => [
        `${prefix}.xsd`,
        schema(module.namespace, namespaces, prefixes.slice(0, index), declarations(module)),
      ]),
    ),
  };
}

function declarations({ leaves = {}, elements = {}, types = {} }: Module): Tag[] {
  return [
    ...Object.entries(leaves).flatMap(([base, names]) =>
      names.split(' ').flatMap((name) => {
        const type = `${name}Type`;
        return [element({ name, type }), declaredType(type, `>${base}`)];
      }),
    ),
    ...Object.entries(elements).flatMap(([type, names]) =>
      names.split(' ').map((name) => element({ name, type })),
    ),
    ...Object.entries(types).map(([name, written]) => declaredType(name, written)),
  ];
}
