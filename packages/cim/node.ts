import type { Datatype, Term } from './terms.ts';

/** What one row of a binding says of its occurrences. Compiled once, shared by all invoices. */
export interface Shape {
  /**
   * The member's name in the CIM. A wrap's name is for rules only: its members belong to the group
   * around it.
   */
  readonly name: string;
  readonly kind: 'group' | 'value' | 'wrap';
  readonly term: Term | undefined;
  readonly datatype: Datatype;
  /** The JSON form shows a list. */
  readonly many: boolean;
  /** The name in its syntax, for locations. */
  readonly element: string;
  readonly min: number;
  readonly max: number;
  readonly fixed: string | undefined;
  readonly currency: 'document' | 'accounting';
  readonly attributes: readonly AttributeShape[];
  readonly parent: Shape | undefined;
  /** Position among all shapes of its document type, from 0, so that tables can be arrays. */
  readonly number: number;
  /** Index among the parent's members. */
  readonly slot: number;
  readonly members: readonly Shape[];
  readonly byElement: ReadonlyMap<string, Shape>;
  /** Resolved paths, filled on first use. */
  readonly targets: Map<string, Target>;
}

/** What a binding says of an attribute that holds a business term. */
export interface AttributeShape {
  /** Name in the syntax. */
  readonly attribute: string;
  /** Name in the CIM, next to the value's own. */
  readonly name: string;
  readonly term: Term;
  readonly datatype: Datatype;
}

/** The slots to follow from a node, and the attribute to read at the end if the path names one. */
export interface Target {
  readonly shapes: readonly Shape[];
  readonly attribute: string | undefined;
}

/**
 * An element of a document that no row binds: kept for the rules that forbid it, never written.
 */
export interface Unbound {
  readonly element: string;
  /** 1-based among siblings of the same name. */
  readonly position: number;
  readonly attributes: Readonly<Record<string, string>> | undefined;
  text: string;
  /** As a node's. */
  texts?: string[];
  readonly children: Unbound[];
}

/**
 * A path for use from many nodes, usually of one shape: it caches its latest target.
 */
export class Path {
  readonly text: string;
  readonly #find: (shape: Shape, text: string) => Target;
  #shape: Shape | undefined = undefined;
  #target: Target | undefined = undefined;

  constructor(text: string, find: (shape: Shape, text: string) => Target = targetOf) {
    this.text = text;
    this.#find = find;
  }

  /** The target from a shape; throws when there is none. */
  from(shape: Shape): Target {
    if (shape === this.#shape) return this.#target!;
    const target = this.#find(shape, this.text);
    this.#shape = shape;
    this.#target = target;
    return target;
  }
}

function wayFrom({ shape }: Node, path: string | Path): Target {
  return typeof path === 'string' ? targetOf(shape, path) : path.from(shape);
}

/** One occurrence: a value with its text as written, or a group (or wrap) with members. */
export class Node {
  readonly shape: Shape;
  readonly parent: Node | undefined;
  /** 1-based among siblings of the same shape. */
  readonly position: number;
  /** As written; typed on demand. */
  text = '';
  /**
   * The text nodes of a value that comments, instructions or elements divide; otherwise undefined,
   * and
   * `text` is the only one.
   */
  texts: string[] | undefined = undefined;
  attributes: Record<string, string> | undefined = undefined;
  /** By slot. */
  readonly members: Occurrences[];
  /** Unbound elements; undefined when there is none at or below this node. */
  unbound: Unbound[] | undefined = undefined;

  constructor(shape: Shape, parent: Node | undefined) {
    this.shape = shape;
    this.parent = parent;
    // Of exactly this size, because a document has many nodes.
    const { length } = shape.members;
    this.members = length === 0 ? noMembers : new Array<Occurrences>(length);
    this.position = 1;
    if (parent === undefined) return;
    // A value has no nodes except those that rules make of unbound elements.
    if (parent.members === noMembers) (parent as { members: Node['members'] }).members = [];
    const held = parent.members[shape.slot];
    if (held === undefined) parent.members[shape.slot] = this;
    else if (Array.isArray(held)) this.position = held.push(this);
    else this.position = (parent.members[shape.slot] = [held, this]).length;
  }
}

/**
 * The content of a slot: one occurrence as itself, several as a list in document order. Most slots
 * have one, and arrays of one would take an eighth of a document's memory and a third of the time
 * to walk it.
 */
export type Occurrences = Node | Node[] | undefined;

/** The members of all values; frozen, because they share it. */
const noMembers: Node['members'] = [];
Object.freeze(noMembers);

/** The occurrences as a list, for reading only: a list of one is not part of the document. */
export function listOf(found: Occurrences): readonly Node[] {
  if (found === undefined) return none;
  return Array.isArray(found) ? found : [found];
}

/** The first in document order. */
export function firstOf(found: Occurrences): Node | undefined {
  return Array.isArray(found) ? found[0] : found;
}

/** The number of occurrences in a slot. */
export function countOf<One>(found: One | readonly One[] | undefined): number {
  if (found === undefined) return 0;
  return isSeveral(found) ? found.length : 1;
}

/** Whether a slot has two or more occurrences. */
export function isSeveral<One>(found: One | readonly One[]): found is readonly One[] {
  return Array.isArray(found);
}

const none: readonly Node[] = [];
const noTexts: readonly string[] = [];

/**
 * Every occurrence that `path` reaches from `node`, in document order; e.g. `nodes(line, 'tax')`.
 * Wraps may be named or left out. Throws when the path is in no row, so that
 * a misspelt path is noticed.
 */
export function nodes(node: Node, path: string | Path): readonly Node[] {
  return listOf(follow(node, wayFrom(node, path).shapes));
}

/** The occurrences reached from `node` by the shapes. */
export function follow(node: Node, shapes: readonly Shape[]): Occurrences {
  let found = node.members[shapes[0]!.slot];
  for (let step = 1; step < shapes.length && found !== undefined; step++) {
    found = inSlot(found, shapes[step]!.slot);
  }
  return found;
}

/** The occurrences in a slot of one or several nodes. */
export function inSlot(nodes: Node | readonly Node[], slot: number): Occurrences {
  if (!isSeveral(nodes)) return nodes.members[slot];
  let all: Node[] | undefined;
  for (let at = 0; at < nodes.length; at++) {
    const found = nodes[at]!.members[slot];
    if (found === undefined) continue;
    all ??= [];
    if (!Array.isArray(found)) all.push(found);
    else for (let index = 0; index < found.length; index++) all.push(found[index]!);
  }
  return all?.length === 1 ? all[0] : all;
}

/** The first occurrence, or undefined. */
export function first(node: Node, path: string | Path): Node | undefined {
  return firstOf(follow(node, wayFrom(node, path).shapes));
}

/**
 * Text of the only value (or attribute) that `path` reaches: undefined when there is none, null
 * when there are several.
 */
export function onlyValue(node: Node, path: string | Path): string | undefined | null {
  const { shapes, attribute } = wayFrom(node, path);
  const found = follow(node, shapes);
  if (found === undefined) return undefined;
  if (!Array.isArray(found)) return written(found, attribute);
  const texts = values(node, path);
  return texts.length > 1 ? null : texts[0];
}

/** Whether some value (or attribute) that `path` reaches is exactly `text`. */
export function someValue(node: Node, path: string | Path, text: string): boolean {
  const { shapes, attribute } = wayFrom(node, path);
  const found = follow(node, shapes);
  if (found === undefined) return false;
  if (!Array.isArray(found)) return written(found, attribute) === text;
  return found.some((each) => written(each, attribute) === text);
}

/** Texts of the values (or attributes) that `path` reaches, as written. */
export function values(node: Node, path: string | Path): readonly string[] {
  const { shapes, attribute } = wayFrom(node, path);
  const found = follow(node, shapes);
  if (found === undefined) return noTexts;
  const texts: string[] = [];
  for (const each of listOf(found)) {
    const text = written(each, attribute);
    if (text !== undefined) texts.push(text);
  }
  return texts;
}

function written(node: Node, attribute: string | undefined): string | undefined {
  return attribute === undefined ? node.text : node.attributes?.[attribute];
}

/** How many values (or attributes) `path` reaches. */
export function countAt(node: Node, path: string | Path): number {
  const { shapes, attribute } = wayFrom(node, path);
  const found = follow(node, shapes);
  if (attribute === undefined) return countOf(found);
  let count = 0;
  for (const each of listOf(found)) if (each.attributes?.[attribute] !== undefined) count++;
  return count;
}

/** Text of the first value, or undefined when there is none. */
export function value(node: Node, path: string | Path): string | undefined {
  const { shapes, attribute } = wayFrom(node, path);
  if (attribute === undefined) return firstOf(follow(node, shapes))?.text;
  return values(node, path)[0];
}

/** The root of the document that `node` is in. */
export function rootOf(node: Node): Node {
  let current = node;
  while (current.parent !== undefined) current = current.parent;
  return current;
}

/** Every node below `node`, and itself, in document order of slots. */
export function* walk(node: Node): Generator<Node> {
  yield node;
  for (const found of node.members) for (const member of listOf(found)) yield* walk(member);
}

/** Adds an unbound element to a node. */
export function keepUnbound(node: Node, unbound: Unbound): void {
  let at: Node | undefined = node;
  while (at !== undefined && at.unbound === undefined) {
    at.unbound = [];
    at = at.parent;
  }
  node.unbound!.push(unbound);
}

/** Whether the node or a node below it holds an unbound element. */
export function holdsUnbound(node: Node): boolean {
  return node.unbound !== undefined;
}

/** The target of a path from a shape; throws when the path is in no row. */
export function targetOf(shape: Shape, path: string): Target {
  const target = findTarget(shape, path);
  if (target === undefined) {
    throw new Error(`"${path}" is not below "${shape.name}" (${shape.element})`);
  }
  return target;
}

/** As `targetOf`, but undefined when the path is in no row. */
export function findTarget(shape: Shape, path: string): Target | undefined {
  const known = shape.targets.get(path);
  if (known !== undefined) return known;
  const target = resolve(shape, path);
  // Only known paths are cached: unknown ones come from outside and are unlimited.
  if (target !== undefined) shape.targets.set(path, target);
  return target;
}

function resolve(shape: Shape, path: string): Target | undefined {
  const shapes: Shape[] = [];
  let at = shape;
  const names = path.split('.');
  for (const [index, name] of names.entries()) {
    const step = member(at, name);
    if (step === undefined) {
      const holder = index === names.length - 1 ? attributeHolder(at, name) : undefined;
      return holder && { shapes: [...shapes, ...holder.shapes], attribute: holder.attribute };
    }
    shapes.push(...step);
    at = step.at(-1)!;
  }
  return { shapes, attribute: undefined };
}

/**
 * The shapes that lead to a member by name: own members first, then those of wraps, then a wrap.
 */
function member(shape: Shape, name: string): Shape[] | undefined {
  return (
    memberBelow(shape, name, (each) => each.kind !== 'wrap') ?? memberBelow(shape, name, () => true)
  );
}

function memberBelow(
  shape: Shape,
  name: string,
  wanted: (each: Shape) => boolean,
): Shape[] | undefined {
  const direct = shape.members.find((each) => each.name === name && wanted(each));
  if (direct !== undefined) return [direct];
  for (const wrap of shape.members) {
    if (wrap.kind !== 'wrap') continue;
    const below = memberBelow(wrap, name, wanted);
    if (below !== undefined) return [wrap, ...below];
  }
  return undefined;
}

function attributeHolder(shape: Shape, name: string): Target | undefined {
  for (const each of shape.members) {
    if (each.kind === 'wrap') {
      const below = attributeHolder(each, name);
      if (below !== undefined) return { ...below, shapes: [each, ...below.shapes] };
    }
    const attribute = each.attributes.find((row) => row.name === name);
    if (attribute !== undefined) return { shapes: [each], attribute: attribute.attribute };
  }
  return undefined;
}
