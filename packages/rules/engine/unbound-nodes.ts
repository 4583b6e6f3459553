import { Node, type Shape, type Unbound } from '@drawbridge/cim/node.ts';

/**
 * Unbound elements as nodes that rules can read. An element gets the shape that its name has
 * elsewhere in the table, because UBL declares every element once. The document itself is not
 * changed.
 */
export class UnboundNodes {
  readonly #prototypes: ReadonlyMap<string, readonly Shape[]>;
  readonly #shapes = new Map<Shape, Map<string, Shape>>();
  readonly #nodes = new Map<Node, readonly Node[]>();
  #next: number;

  /** Its shapes are numbered from `next`; smaller numbers belong to the document type. */
  constructor(prototypes: ReadonlyMap<string, readonly Shape[]>, next: number) {
    this.#prototypes = prototypes;
    this.#next = next;
  }

  /** The unbound children of a node of the document; their own descendants are their members. */
  childrenOf(node: Node): readonly Node[] {
    if (node.unbound === undefined) return none;
    let children = this.#nodes.get(node);
    if (children === undefined) {
      // A copy of the parent, so that its additional children are not part of the document.
      const parent = Object.create(node, { members: { value: [...node.members] } }) as Node;
      children = node.unbound.map((unbound) => this.#node(unbound, parent));
      this.#nodes.set(node, children);
    }
    return children;
  }

  #node(unbound: Unbound, parent: Node): Node {
    const node = new Node(this.#shape(parent.shape, unbound.element), parent);
    node.text = unbound.text;
    node.texts = unbound.texts;
    node.attributes = unbound.attributes && { ...unbound.attributes };
    for (const child of unbound.children) this.#node(child, node);
    return node;
  }

  /** The shape of an element under a parent for which the table has no such row. */
  #shape(parent: Shape, element: string): Shape {
    const known = this.#shapes.get(parent) ?? new Map<string, Shape>();
    this.#shapes.set(parent, known);
    let shape = known.get(element);
    if (shape === undefined) {
      const bound = parent.byElement.get(element);
      const slot = bound?.slot ?? parent.members.length + known.size;
      const prototype = bound ?? this.#prototype(parent, element) ?? { ...blank, element };
      const number = this.#next++;
      shape = { ...prototype, element, parent, number, slot, max: Number.POSITIVE_INFINITY };
      known.set(element, shape);
    }
    return shape;
  }

  #prototype(parent: Shape, element: string): Shape | undefined {
    const shapes = this.#prototypes.get(element) ?? this.#prototypes.get(twins.get(element) ?? '');
    return shapes?.find((each) => each.parent?.element === parent.element) ?? shapes?.[0];
  }
}

const none: readonly Node[] = [];

/** A line of the other document type is read like a line of this one. */
const twins: ReadonlyMap<string, string> = new Map([
  ['cac:InvoiceLine', 'cac:CreditNoteLine'],
  ['cac:CreditNoteLine', 'cac:InvoiceLine'],
]);

const blank: Shape = {
  name: '',
  kind: 'value',
  term: undefined,
  datatype: 'text',
  many: true,
  element: '',
  min: 0,
  max: Number.POSITIVE_INFINITY,
  fixed: undefined,
  currency: 'document',
  attributes: [],
  parent: undefined,
  number: 0,
  slot: 0,
  members: [],
  byElement: new Map(),
  targets: new Map(),
};
