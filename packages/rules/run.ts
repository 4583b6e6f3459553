import type { Node, Shape } from '@drawbridge/cim/node.ts';
import type { Sink } from './code.ts';
import { adoptedRules, type CompiledRules, type ShapeRules } from './compile.ts';
import {
  type CodeLists,
  type Context,
  DynamicError,
  factCount,
  type Rule,
  type Scope,
} from './rule.ts';
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

class Run implements Scope, Sink {
  readonly root: Node;
  readonly lists: CodeLists;
  readonly facts: unknown[];
  readonly #rules: CompiledRules;
  readonly #tree: Tree;
  readonly #breaches: Breach[] = [];
  readonly #signed = new Set<Context>();
  readonly #adopted = new Map<Shape, ShapeRules>();
  readonly #byElement = new Map<string, readonly Node[]>();

  // A field, so that a rule may take it out of its scope.
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
    this.#judge(this.root);
    for (const adopted of this.#tree.adopted()) this.#judge(adopted);
    for (const context of this.#signed) {
      const late = this.#rules.awaited.get(context)!;
      late.judge(this.root, this, late.asked, this);
    }
    return this.#breaches.length > 1 ? this.#inDocumentOrder() : this.#breaches;
  }

  breach(rule: Rule, node: Node): void {
    this.#breaches.push({ rule, node });
  }

  stopped(rule: Rule, node: Node, error: unknown): void {
    if (!(error instanceof DynamicError)) throw error;
    this.#breaches.push({ rule, node, diagnostic: error.message });
  }

  signed(context: Context): void {
    this.#signed.add(context);
  }

  #judge(node: Node): void {
    const rules = this.#rulesOf(node);
    rules.judge(node, this, rules.asked, this);
  }

  #rulesOf({ shape }: Node): ShapeRules {
    return this.#rules.byShape[shape.number] ?? this.#adoptedRules(shape);
  }

  #adoptedRules(shape: Shape): ShapeRules {
    let rules = this.#adopted.get(shape);
    if (rules === undefined) {
      rules = adoptedRules(this.#rules, shape);
      this.#adopted.set(shape, rules);
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
