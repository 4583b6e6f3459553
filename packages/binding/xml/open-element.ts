import { keepUnbound, Node, type Shape, type Unbound } from '@drawbridge/cim/node.ts';

/** An element whose end tag is not read yet. */
export interface OpenElement {
  readonly node: Node | Unbound;
  readonly outer: OpenElement | undefined;
  /** The number of unbound children by name. */
  counts: Map<string, number> | undefined;
}

/** Adds a child to an open element; as unbound when no row binds its name. */
export function addChild(
  parent: OpenElement,
  element: string,
  attributes: Node['attributes'],
): Node | Unbound {
  const { node } = parent;
  const shape = node instanceof Node ? node.shape.byElement.get(element) : undefined;
  if (shape === undefined) return addUnbound(parent, element, attributes);
  return addBound(node as Node, shape, attributes);
}

/** Adds a bound child to an open element. */
export function addBound(parent: Node, shape: Shape, attributes: Node['attributes']): Node {
  const child = new Node(shape, parent);
  child.attributes = attributes;
  return child;
}

function addUnbound(parent: OpenElement, element: string, attributes: Node['attributes']): Unbound {
  const { node } = parent;
  partText(node);
  const counts = (parent.counts ??= new Map<string, number>());
  const position = (counts.get(element) ?? 0) + 1;
  counts.set(element, position);
  const unbound: Unbound = { element, position, attributes, text: '', children: [] };
  if (node instanceof Node) keepUnbound(node, unbound);
  else node.children.push(unbound);
  return unbound;
}

/** Adds text to the open element; between elements only text that is not white space counts. */
export function addText({ node }: OpenElement, text: string): void {
  if (!isValue(node) && isBlank(text)) return;
  node.text += text;
  node.texts?.push(text);
}

/** Ends a text node: a comment, an instruction or an element follows. */
export function partText(node: Node | Unbound): void {
  if (isValue(node)) node.texts ??= node.text === '' ? [] : [node.text];
}

/**
 * Adds the text to that of the outer element, as in string values (XPath 2.0 data model, 6.2.2).
 */
export function closeElement({ node, outer }: OpenElement): void {
  if (node instanceof Node || outer === undefined || !isValue(outer.node)) return;
  if (node.text.length <= innerTextMax) outer.node.text += node.text;
}

/** Longer than any code or amount; a limit, because nested texts are stored once for each level. */
const innerTextMax = 1_000;

function isValue(node: Node | Unbound): boolean {
  return !(node instanceof Node) || node.shape.kind === 'value';
}

function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 9 && code !== 10 && code !== 13) return false;
  }
  return true;
}

/** The name of an element in rows: with the table's prefix when its namespace is bound. */
export function elementName(
  prefixes: ReadonlyMap<string, string>,
  uri: string,
  local: string,
): string {
  const prefix = prefixes.get(uri);
  return prefix === undefined ? `{${uri}}${local}` : `${prefix}:${local}`;
}
