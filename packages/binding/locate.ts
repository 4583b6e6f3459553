import { countOf, type Node } from '@drawbridge/cim/node.ts';

/**
 * XPath of a node in its document, with a position wherever siblings may repeat:
 * `/Invoice/cac:InvoiceLine[2]/cbc:ID`.
 */
export function locate(node: Node, attribute?: string): string {
  const own = attribute === undefined ? '' : `/@${attribute}`;
  return `${pathOf(node)}${own}`;
}

/** XPath at which a member that is missing from `parent` would be. */
export function locateMissing(parent: Node, elements: readonly string[]): string {
  return [pathOf(parent), ...elements].join('/');
}

function pathOf(node: Node): string {
  if (node.parent === undefined) return `/${node.shape.element}`;
  const siblings = countOf(node.parent.members[node.shape.slot]);
  const position = node.shape.max > 1 || siblings > 1 ? `[${node.position}]` : '';
  return `${pathOf(node.parent)}/${node.shape.element}${position}`;
}

/** The path of a node in the CIM, positions counted from 1: `lines[2].tax.category`. */
export function cimPath(node: Node): string {
  if (node.parent === undefined) return '';
  const above = cimPath(node.parent);
  if (node.shape.kind === 'wrap') return above;
  const siblings = countOf(node.parent.members[node.shape.slot]);
  const position = node.shape.many || siblings > 1 ? `[${node.position}]` : '';
  return `${above === '' ? '' : `${above}.`}${node.shape.name}${position}`;
}
