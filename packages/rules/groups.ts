import { inSlot, type Node } from '@drawbridge/cim/node.ts';
import { Adoption } from './adoption.ts';
import type { CompiledRules, Ways } from './compile.ts';

/**
 * How many nodes of a shape are taken at once. With all that is below them they stay within the
 * processor's cache, where each line of a long invoice would be fetched anew for every rule.
 */
const groupMax = 64;

type Group = readonly Node[];

const none: Group = [];

/** The nodes of a document in groups: each of one shape, what is below a group right after it. */
export class Groups {
  readonly all: Group[] = [];
  readonly #root: Node;
  readonly #rules: CompiledRules;
  #adoption: Adoption | undefined;

  constructor(root: Node, rules: CompiledRules) {
    this.#root = root;
    this.#rules = rules;
    this.#add([root]);
  }

  /** Every element of that name, in document order. */
  find(element: string): readonly Node[] {
    if (this.#adoption !== undefined) {
      return this.inOrder().filter(({ shape }) => shape.element === element);
    }
    const groups: Group[] = [];
    let areAlike = true;
    for (let at = 0; at < this.all.length; at++) {
      const { shape } = this.all[at]![0]!;
      if (shape.element !== element) continue;
      groups.push(this.all[at]!);
      areAlike &&= shape === groups[0]![0]!.shape;
    }
    if (groups.length <= 1) return groups[0] ?? none;
    if (areAlike) return groups.flat();
    const found: Node[] = [];
    gather(this.#root, element, this.#rules.ways.get(element)!, found);
    return found;
  }

  /** All nodes in document order, adopted ones too. */
  inOrder(): Node[] {
    const all: Node[] = [];
    const visit = (node: Node): void => {
      all.push(node);
      for (const occurrences of node.members) occurrences?.forEach(visit);
      this.#adoption?.childrenOf(node).forEach(visit);
    };
    visit(this.#root);
    return all;
  }

  #add(nodes: Group): void {
    if (nodes.length > groupMax) {
      for (let at = 0; at < nodes.length; at += groupMax) this.#add(nodes.slice(at, at + groupMax));
      return;
    }
    this.all.push(nodes);
    for (let at = 0; at < nodes.length; at++) {
      if (nodes[at]!.unbound !== undefined) this.#adopt(nodes[at]!);
    }
    const width = nodes[0]!.members.length;
    for (let slot = 0; slot < width; slot++) {
      const below = nodes.length === 1 ? nodes[0]!.members[slot] : inSlot(nodes, slot);
      if (below !== undefined && below.length > 0) this.#add(below);
    }
  }

  /** What no row binds, and all below it: one by one, for such elements are few. */
  #adopt(node: Node): void {
    const { byElement, byShape } = this.#rules;
    this.#adoption ??= new Adoption(byElement, byShape.length);
    const visit = (adopted: Node): void => {
      this.all.push([adopted]);
      for (const occurrences of adopted.members) occurrences?.forEach(visit);
    };
    this.#adoption.childrenOf(node).forEach(visit);
  }
}

/** Adds the elements of that name at and below a node, in document order. */
function gather(node: Node, element: string, ways: Ways, found: Node[]): void {
  const { shape, members } = node;
  if (shape.element === element) found.push(node);
  const slots = ways[shape.number];
  if (slots === undefined) return;
  for (let way = 0; way < slots.length; way++) {
    const occurrences = members[slots[way]!];
    if (occurrences === undefined) continue;
    for (let at = 0; at < occurrences.length; at++) gather(occurrences[at]!, element, ways, found);
  }
}
