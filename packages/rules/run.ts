import { findTarget, type Node, type Shape } from '@drawbridge/cim/node.ts';
import { Adoption } from './adoption.ts';
import {
  type CodeLists,
  type Context,
  DynamicError,
  type Rule,
  type RuleSet,
  type Scope,
} from './rule.ts';

/** A rule that a node breaks. */
export interface Breach {
  readonly rule: Omit<Rule, 'test'>;
  readonly node: Node;
  /** Set when the authority's own expression could not be evaluated on this document. */
  readonly diagnostic?: string;
}

/** What the nodes of one shape meet. */
interface ShapeRules {
  /** Rules of the patterns whose first context takes every node. */
  readonly always: readonly Rule[];
  /** For each other pattern, the contexts to try in order. */
  readonly choices: readonly (readonly Context[])[];
}

/** A rule set made ready for one document type. */
export interface CompiledRules {
  /** By number of the shape. */
  readonly byShape: readonly ShapeRules[];
  /** Patterns reduced to the contexts that ask for elements wherever they stand. */
  readonly anywhere: readonly (readonly Context[])[];
  readonly byElement: ReadonlyMap<string, readonly Shape[]>;
  /** By name of an element, and by number of the shape: the slots on the way to such elements. */
  readonly ways: ReadonlyMap<string, Ways>;
}

type Ways = readonly (readonly number[] | undefined)[];

/** Joins rule sets with a document type, once at start. */
export function compileRules(root: Shape, sets: readonly RuleSet[]): CompiledRules {
  const patterns = sets.flatMap((set) => set.patterns.map((pattern) => pattern.contexts));
  const shapes = everyShape(root);
  const shapesOf = new Map<Context, ReadonlySet<Shape>>();
  for (const context of patterns.flat()) {
    shapesOf.set(context, new Set(contextShapes(root, shapes, context)));
  }
  const byShape = shapes.map((shape) =>
    shapeRules(
      patterns.map((contexts) => contexts.filter((context) => shapesOf.get(context)!.has(shape))),
    ),
  );
  const anywhere = patterns.map((contexts) =>
    contexts.filter((context) => typeof context.each === 'function'),
  );
  const byElement = Map.groupBy(shapes, (shape) => shape.element);
  const ways = new Map([...byElement].map(([element, alike]) => [element, waysTo(alike)]));
  return { byShape, anywhere, byElement, ways };
}

function waysTo(shapes: readonly Shape[]): Ways {
  const ways: number[][] = [];
  for (const shape of shapes) {
    for (let at = shape; at.parent !== undefined; at = at.parent) {
      const slots = (ways[at.parent.number] ??= []);
      if (!slots.includes(at.slot)) slots.push(at.slot);
    }
  }
  return ways;
}

function shapeRules(patterns: readonly (readonly Context[])[]): ShapeRules {
  const met = patterns.filter((contexts) => contexts.length > 0);
  const isSure = ([first]: readonly Context[]): boolean => first!.match === undefined;
  return {
    always: met.filter(isSure).flatMap(([first]) => first!.rules),
    choices: met.filter((contexts) => !isSure(contexts)),
  };
}

/** Every breach in the document, in document order. */
export function runRules(rules: CompiledRules, root: Node, lists: CodeLists): Breach[] {
  return new Run(rules, root, lists).breaches();
}

class Run implements Scope {
  readonly root: Node;
  readonly lists: CodeLists;
  readonly byShape: (Node[] | undefined)[];
  readonly facts: unknown[] = [];
  readonly #rules: CompiledRules;
  #adoption: Adoption | undefined;
  readonly #breaches: Breach[] = [];
  readonly #byElement = new Map<string, readonly Node[]>();

  // A field, so that a rule may take it out of its scope.
  readonly everywhere = (element: string): readonly Node[] => {
    let found = this.#byElement.get(element);
    if (found === undefined) {
      found = this.#find(element);
      this.#byElement.set(element, found);
    }
    return found;
  };

  constructor(rules: CompiledRules, root: Node, lists: CodeLists) {
    this.#rules = rules;
    this.root = root;
    this.lists = lists;
    this.byShape = new Array<Node[] | undefined>(rules.byShape.length);
    this.#collect(root);
  }

  /**
   * Rule by rule, each over all nodes of a shape at once: the processor meets the same code again.
   */
  breaches(): Breach[] {
    for (const nodes of this.byShape) {
      if (nodes === undefined) continue;
      const { always, choices } = this.#rulesOf(nodes[0]!.shape);
      for (const rule of always) {
        for (let at = 0; at < nodes.length; at++) this.#test(rule, nodes[at]!);
      }
      for (const contexts of choices) {
        for (let at = 0; at < nodes.length; at++) this.#choose(contexts, nodes[at]!);
      }
    }
    return this.#breaches.length > 1 ? this.#inDocumentOrder() : this.#breaches;
  }

  #find(element: string): readonly Node[] {
    if (this.#adoption !== undefined) {
      return this.#inOrder().filter(({ shape }) => shape.element === element);
    }
    const shapes = this.#rules.byElement.get(element) ?? [];
    const lists = shapes.flatMap(({ number }) => {
      const nodes = this.byShape[number];
      return nodes === undefined ? [] : [nodes];
    });
    if (lists.length <= 1) return lists[0] ?? [];
    const found: Node[] = [];
    gather(this.root, element, this.#rules.ways.get(element)!, found);
    return found;
  }

  #inDocumentOrder(): Breach[] {
    const order = new Map(this.#inOrder().map((node, index) => [node, index]));
    return this.#breaches.sort((one, other) => order.get(one.node)! - order.get(other.node)!);
  }

  /** All nodes in document order, adopted ones too. */
  #inOrder(): Node[] {
    const all: Node[] = [];
    const visit = (node: Node): void => {
      all.push(node);
      for (const occurrences of node.members) occurrences?.forEach(visit);
      this.#adoption?.childrenOf(node).forEach(visit);
    };
    visit(this.root);
    return all;
  }

  #collect(node: Node): void {
    const { number } = node.shape;
    const alike = this.byShape[number];
    if (alike === undefined) this.byShape[number] = [node];
    else alike.push(node);
    const { members } = node;
    for (let slot = 0; slot < members.length; slot++) {
      const occurrences = members[slot];
      if (occurrences === undefined) continue;
      for (let index = 0; index < occurrences.length; index++) this.#collect(occurrences[index]!);
    }
    if (node.unbound === undefined) return;
    const { byElement, byShape } = this.#rules;
    this.#adoption ??= new Adoption(byElement, byShape.length);
    for (const adopted of this.#adoption.childrenOf(node)) this.#collect(adopted);
  }

  #rulesOf(shape: Shape): ShapeRules {
    return (
      this.#rules.byShape[shape.number] ??
      shapeRules(
        this.#rules.anywhere.map((contexts) =>
          contexts.filter(({ each }) => typeof each === 'function' && each(shape)),
        ),
      )
    );
  }

  #choose(contexts: readonly Context[], node: Node): void {
    for (const context of contexts) {
      if (!this.#matches(context, node)) continue;
      for (const rule of context.rules) this.#test(rule, node);
      return;
    }
  }

  #matches(context: Context, node: Node): boolean {
    try {
      return context.match?.(node, this) ?? true;
    } catch (error) {
      // A predicate that cannot be evaluated matches nothing (XSLT 2.0, 5.5.4).
      if (error instanceof DynamicError) return false;
      throw error;
    }
  }

  #test(rule: Rule, node: Node): void {
    try {
      if (!rule.test(node, this)) this.#breaches.push({ rule, node });
    } catch (error) {
      if (!(error instanceof DynamicError)) throw error;
      this.#breaches.push({ rule, node, diagnostic: error.message });
    }
  }
}

/** Adds the elements of that name at and below a node, in document order. */
function gather(node: Node, element: string, ways: Ways, found: Node[]): void {
  const { shape, members } = node;
  if (shape.element === element) found.push(node);
  const slots = ways[shape.number];
  if (slots === undefined) return;
  for (const slot of slots) {
    const occurrences = members[slot];
    if (occurrences === undefined) continue;
    for (const each of occurrences) gather(each, element, ways, found);
  }
}

function contextShapes(root: Shape, shapes: readonly Shape[], context: Context): Shape[] {
  if (typeof context.each === 'function') return shapes.filter(context.each);
  return context.each.flatMap((path) => {
    if (path === '') return [root];
    const shape = findTarget(root, path)?.shapes.at(-1);
    // A credit note has no project reference: a path that only the other document type has is not
    // an error.
    return shape === undefined ? [] : [shape];
  });
}

function everyShape(shape: Shape): Shape[] {
  return [shape, ...shape.members.flatMap(everyShape)];
}
