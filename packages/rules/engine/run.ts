import type { Node, Shape } from '@drawbridge/cim/node.ts';
import { type Context, DynamicError, factCount, type Rule } from '../rule.ts';
import type { CodeLists, Scope } from '../scope.ts';
import type { BreachSink } from './code-generator.ts';
import { type CompiledRules, rulesOfUnbound, type ShapeRules } from './compile.ts';
import { Tree } from './tree.ts';

/** A rule that a node breaks. */
export interface Breach {
  readonly rule: Omit<Rule, 'holds'>;
  readonly node: Node;
  /** Set when the authority's own expression could not be evaluated on this document. */
  readonly diagnostic?: string;
}

/** Every breach in the document, in document order. */
export function runRules(rules: CompiledRules, root: Node, lists: CodeLists): Breach[] {
  return new Run(rules, root, lists).breaches();
}

class Run implements Scope, BreachSink {
  readonly root: Node;
  readonly lists: CodeLists;
  readonly facts: unknown[];
  readonly #rules: CompiledRules;
  readonly #tree: Tree;
  readonly #breaches: Breach[] = [];
  readonly #signed = new Set<Context>();
  readonly #unboundRules = new Map<Shape, ShapeRules>();
  readonly #byElement = new Map<string, readonly Node[]>();

  // A field, so that a rule may destructure it from the scope.
  readonly everywhere = (element: string): readonly Node[] => {
    let found = this.#byElement.get(element);
    if (found === undefined) {
      found = this.#tree.find(element);
      this.#byElement.set(element, found);
    }
    return found;
  };

  constructor(rules: CompiledRules, root: Node, lists: CodeLists) {
    this.#rules = rules;
    this.root = root;
    this.lists = lists;
    this.facts = new Array<unknown>(factCount());
    this.#tree = new Tree(root, rules);
  }

  breaches(): Breach[] {
    this.#check(this.root);
    for (const unbound of this.#tree.unbound()) this.#check(unbound);
    for (const context of this.#signed) {
      const late = this.#rules.triggered.get(context)!;
      late.check(this.root, this, late.asked, this);
    }
    return this.#breaches.length > 1 ? this.#inDocumentOrder() : this.#breaches;
  }

  breach(rule: Rule, node: Node): void {
    this.#breaches.push({ rule, node });
  }

  failed(rule: Rule, node: Node, error: unknown): void {
    if (!(error instanceof DynamicError)) throw error;
    this.#breaches.push({ rule, node, diagnostic: error.message });
  }

  triggered(context: Context): void {
    this.#signed.add(context);
  }

  #check(node: Node): void {
    const rules = this.#rulesOf(node);
    rules.check(node, this, rules.asked, this);
  }

  #rulesOf({ shape }: Node): ShapeRules {
    return this.#rules.byShape[shape.number] ?? this.#rulesOfUnbound(shape);
  }

  #rulesOfUnbound(shape: Shape): ShapeRules {
    let rules = this.#unboundRules.get(shape);
    if (rules === undefined) {
      rules = rulesOfUnbound(this.#rules, shape);
      this.#unboundRules.set(shape, rules);
    }
    return rules;
  }

  #inDocumentOrder(): Breach[] {
    const order = new Map(this.#tree.inOrder().map((node, index) => [node, index]));
    const rank = ({ rule, node }: Breach): number =>
      this.#rulesOf(node).rules.indexOf(rule as Rule);
    return this.#breaches.sort(
      (one, other) => order.get(one.node)! - order.get(other.node)! || rank(one) - rank(other),
    );
  }
}
