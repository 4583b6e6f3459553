import { Node, type Unbound } from '@drawbridge/cim/node.ts';

/** An element that is open while its document is read. */
export interface OpenElement {
  readonly node: Node | Unbound;
  /** How many children of each name no row bound. */
  counts: Map<string, number> | undefined;
}

/** A child of an open element; kept aside where no row binds its name. */
export function addChild(
  parent: OpenElement,
  element: string,
  attributes: Node['attributes'],
): Node | Unbound {
  const { node } = parent;
  const shape = node instanceof Node ? node.shape.byElement.get(element) : undefined;
  if (shape === undefined) return addUnbound(parent, element, attributes);
  const child = new Node(shape, node as Node);
  child.attributes = attributes;
  return child;
}

function addUnbound(parent: OpenElement, element: string, attributes: Node['attributes']): Unbound {
  const { node } = parent;
  const counts = (parent.counts ??= new Map<string, number>());
  const position = (counts.get(element) ?? 0) + 1;
  counts.set(element, position);
  const unbound: Unbound = { element, position, attributes, text: '', children: [] };
  (node instanceof Node ? (node.unbound ??= []) : node.children).push(unbound);
  return unbound;
}

/**
 * Text belongs to the element it stands in; between elements only what is not white space counts.
 */
export function addText(node: Node | Unbound, text: string): void {
  if (!(node instanceof Node) || node.shape.kind === 'value' || !/^[ \t\r\n]*$/.test(text)) {
    node.text += text;
  }
}

/** The name that rows use for an element: by prefix where its namespace is bound. */
export function elementName(
  prefixes: ReadonlyMap<string, string>,
  uri: string,
  local: string,
): string {
  const prefix = prefixes.get(uri);
  return prefix === undefined ? `{${uri}}${local}` : `${prefix}:${local}`;
}
