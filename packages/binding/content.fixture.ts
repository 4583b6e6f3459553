import { listOf, type Node } from '@drawbridge/cim/node.ts';

/**
 * The whole content of a document as one text, with siblings of the same kind in a fixed order: UBL
 * mixes allowances and charges, and the JSON form shows one after the other.
 */
export function contentOf(node: Node): string {
  const members = node.members.flatMap((found) =>
    listOf(found)
      .map(contentOf)
      .sort((a, b) => (a < b ? -1 : 1)),
  );
  if (node.shape.kind !== 'value') return JSON.stringify([node.shape.element, members]);
  const attributes = Object.entries(node.attributes ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([node.shape.element, node.text, attributes]);
}
