import { follow, holdsUnbound, listOf, type Node } from '@drawbridge/cim/node.ts';
import type { CompiledRules, Ways } from './compile.ts';
import { UnboundNodes } from './unbound-nodes.ts';

/** A document as rules see it, with its unbound elements. */
export class Tree {
  readonly #root: Node;
  readonly #rules: CompiledRules;
  readonly #unboundNodes: UnboundNodes | undefined;

  constructor(root: Node, rules: CompiledRules) {
    this.#root = root;
    this.#rules = rules;
    if (holdsUnbound(root))
      this.#unboundNodes = new UnboundNodes(rules.byElement, rules.byShape.length);
  }

  /** Every element of that name, in document order. */
  find(element: string): readonly Node[] {
    if (this.#unboundNodes !== undefined) {
      return this.inOrder().filter(({ shape }) => shape.element === element);
    }
    const route = this.#rules.routes.get(element);
    if (route !== undefined) return listOf(follow(this.#root, route));
    const ways = this.#rules.ways.get(element);
    const found: Node[] = [];
    if (ways !== undefined) gather(this.#root, element, ways, found);
    return found;
  }

  /** All nodes in document order, unbound ones too. */
  inOrder(): Node[] {
    const all: Node[] = [];
    const visit = (node: Node): void => {
      all.push(node);
      for (const found of node.members) listOf(found).forEach(visit);
      this.#unboundNodes?.childrenOf(node).forEach(visit);
    };
    visit(this.#root);
    return all;
  }

  /** The unbound elements and all below them, as nodes. */
  unbound(): Node[] {
    const { length } = this.#rules.byShape;
    return this.#unboundNodes === undefined
      ? []
      : this.inOrder().filter(({ shape }) => shape.number >= length);
  }
}

/** Adds the elements of that name at and below a node, in document order. */
function gather(node: Node, element: string, ways: Ways, found: Node[]): void {
  const { shape, members } = node;
  if (shape.element === element) found.push(node);
  const slots = ways[shape.number];
  if (slots === undefined) return;
  for (let way = 0; way < slots.length; way++) {
    const held = members[slots[way]!];
    if (held === undefined) continue;
    if (!Array.isArray(held)) gather(held, element, ways, found);
    else for (let at = 0; at < held.length; at++) gather(held[at]!, element, ways, found);
  }
}
