import {
  firstOf,
  follow,
  listOf,
  Node,
  Path,
  type Shape,
  type Target,
  type Unbound,
} from '@drawbridge/cim/node.ts';
import { DynamicError } from '../rule.ts';

/**
 * Reading by element names, for rules on the syntax or on elements at any place.
 */

/** An element of the document, whether a row binds it or not. */
export type Element = Node | Unbound;

const none: readonly Element[] = [];

/** Children of that name, e.g. `cbc:ID`, bound or not. */
export function childrenOf(element: Element, name: string): readonly Element[] {
  if (!(element instanceof Node)) return element.children.filter((each) => each.element === name);
  const shape = element.shape.byElement.get(name);
  if (shape !== undefined) return listOf(element.members[shape.slot]);
  return element.unbound === undefined
    ? unboundMembers(element, name)
    : unboundOf(element.unbound, name);
}

/** The unbound elements of a name, cached, because many lines may look through a long list. */
function unboundOf(unbound: readonly Unbound[], name: string): readonly Unbound[] {
  let byName = unboundByName.get(unbound);
  if (byName === undefined) {
    byName = Map.groupBy(unbound, ({ element }) => element);
    unboundByName.set(unbound, byName);
  }
  return byName.get(name) ?? [];
}

const unboundByName = new WeakMap<readonly Unbound[], ReadonlyMap<string, readonly Unbound[]>>();

/** Members of an unbound node without a row in its shape, by name: see engine/unbound-nodes.ts. */
function unboundMembers({ shape, members }: Node, name: string): readonly Node[] {
  for (let slot = shape.members.length; slot < members.length; slot++) {
    if (firstOf(members[slot])?.shape.element === name) return listOf(members[slot]);
  }
  return [];
}

/** A path of names, prepared for use from many elements. */
export function elementPath(text: string): Path {
  return new Path(text, routeOf);
}

/** Every element that a path of names reaches: `cac:TaxScheme/cbc:ID`. */
export function reach(element: Element, path: string | Path): readonly Element[] {
  if (element instanceof Node) {
    const { shape } = element;
    const route = typeof path === 'string' ? routeOf(shape, path) : path.from(shape);
    if (route.shapes.length > 0) return listOf(follow(element, route.shapes));
    if (route === offTable && !holdsMore(element)) return none;
  }
  const names = (typeof path === 'string' ? path : path.text).split('/');
  let found = childrenOf(element, names[0]!);
  for (const name of names.slice(1)) found = found.flatMap((each) => childrenOf(each, name));
  return found;
}

/** The targets of paths for which the table has no row at the first name, and at a later one. */
const offTable: Target = { shapes: [], attribute: undefined };
const leavesTable: Target = { shapes: [], attribute: undefined };

/** Whether a node may hold elements without a row in its shape. */
function holdsMore({ unbound, members, shape }: Node): boolean {
  return unbound !== undefined || members.length > shape.members.length;
}

/**
 * The target of a path of names; without steps when some name has no row. It is cached with the
 * model paths, which have no colon; only rules use paths of names.
 */
export function routeOf(shape: Shape, path: string): Target {
  let route = shape.targets.get(path);
  if (route === undefined) {
    route = newRoute(shape, path);
    shape.targets.set(path, route);
  }
  return route;
}

function newRoute(shape: Shape, path: string): Target {
  const shapes: Shape[] = [];
  let at: Shape | undefined = shape;
  for (const name of path.split('/')) {
    at = at.byElement.get(name);
    if (at === undefined) return shapes.length === 0 ? offTable : leavesTable;
    shapes.push(at);
  }
  return { shapes, attribute: undefined };
}

/** The only element at `path`; several are an error. */
export function onlyElement(element: Element, path: string | Path): Element | undefined {
  const found = reach(element, path);
  if (found.length > 1) {
    const name = typeof path === 'string' ? path : path.text;
    throw new DynamicError(`Several ${name} where one is expected.`);
  }
  return found[0];
}

/** Text of the only element at `path`, `''` when there is none; several are an error. */
export function elementText(element: Element, path: string | Path): string {
  return onlyElement(element, path)?.text ?? '';
}

/** Whether some element at `path` has exactly this text. */
export function someText(element: Element, path: string | Path, text: string): boolean {
  const found = reach(element, path);
  for (let at = 0; at < found.length; at++) if (found[at]!.text === text) return true;
  return false;
}

/** Calls `call` for each child of an element: bound ones first, in the order of the table. */
export function eachChild(element: Element, call: (child: Element) => void): void {
  if (element instanceof Node) {
    for (const found of element.members) listOf(found).forEach(call);
    element.unbound?.forEach(call);
  } else element.children.forEach(call);
}

/** Whether the element contains elements. */
export function hasChildren(element: Element): boolean {
  if (!(element instanceof Node)) return element.children.length > 0;
  const { members, unbound } = element;
  for (let slot = 0; slot < members.length; slot++) if (members[slot] !== undefined) return true;
  return unbound !== undefined && unbound.length > 0;
}

/** The prefixed name, e.g. `cbc:ID`. */
export function nameOf(element: Element): string {
  return element instanceof Node ? element.shape.element : element.element;
}
