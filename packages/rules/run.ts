import type { Node, Shape } from '@drawbridge/cim/node.ts';
import {
  adoptedRules,
  type Check,
  type Choice,
  type CompiledRules,
  type ReadyContext,
  type ShapeRules,
} from './compile.ts';
import { Groups } from './groups.ts';
import { always, answer, firstOf, type Question } from './question.ts';
import { type CodeLists, DynamicError, factCount, type Rule, type Scope } from './rule.ts';

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

class Run implements Scope {
  readonly root: Node;
  readonly lists: CodeLists;
  readonly facts: unknown[];
  readonly #rules: CompiledRules;
  readonly #groups: Groups;
  readonly #breaches: Breach[] = [];
  readonly #adopted = new Map<Shape, ShapeRules>();
  readonly #byElement = new Map<string, readonly Node[]>();

  // A field, so that a rule may take it out of its scope.
  readonly everywhere = (element: string): readonly Node[] => {
    let found = this.#byElement.get(element);
    if (found === undefined) {
      found = this.#groups.find(element);
      this.#byElement.set(element, found);
    }
    return found;
  };

  constructor(rules: CompiledRules, root: Node, lists: CodeLists) {
    this.#rules = rules;
    this.root = root;
    this.lists = lists;
    this.facts = new Array<unknown>(factCount());
    this.#groups = new Groups(root, rules);
  }

  get groups(): readonly (readonly Node[])[] {
    return this.#groups.all;
  }

  /** Rule by rule, each over a group at once: the processor meets the same code again. */
  breaches(): Breach[] {
    const groups = this.#groups.all;
    for (let at = 0; at < groups.length; at++) {
      const nodes = groups[at]!;
      const { always, choices } = this.#rulesOf(nodes[0]!);
      this.#check(always, nodes);
      for (let index = 0; index < choices.length; index++) this.#choose(choices[index]!, nodes);
    }
    return this.#breaches.length > 1 ? this.#inDocumentOrder() : this.#breaches;
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

  #choose({ contexts, codeOf, byCode }: Choice, nodes: readonly Node[]): void {
    if (codeOf === undefined) {
      this.#meet(contexts, nodes);
      return;
    }
    let code = this.#codeOf(codeOf, nodes[0]!);
    let start = 0;
    for (let at = 1; at < nodes.length; at++) {
      const next = this.#codeOf(codeOf, nodes[at]!);
      if (next === code) continue;
      this.#meet(of(byCode, code) ?? contexts, nodes.slice(start, at));
      code = next;
      start = at;
    }
    this.#meet(of(byCode, code) ?? contexts, start === 0 ? nodes : nodes.slice(start));
  }

  /** Each node meets the first context that it matches. */
  #meet(contexts: readonly ReadyContext[], nodes: readonly Node[]): void {
    let left = nodes;
    for (let index = 0; index < contexts.length && left.length > 0; index++) {
      const context = contexts[index]!;
      const { when, match } = context;
      if (when !== undefined && !this.#holds(when)) continue;
      if (match === always) {
        this.#check(context.checks, left);
        return;
      }
      left = this.#meetOne(context, match, left);
    }
  }

  /** Answers the nodes that do not match; mostly they are all alike, and no list is made. */
  #meetOne({ checks }: ReadyContext, match: Question, nodes: readonly Node[]): readonly Node[] {
    const isFirst = this.#matches(match, nodes[0]!);
    let at = 1;
    while (at < nodes.length && this.#matches(match, nodes[at]!) === isFirst) at++;
    if (at === nodes.length) {
      if (!isFirst) return nodes;
      this.#check(checks, nodes);
      return none;
    }
    const alike = nodes.slice(0, at);
    const others = [nodes[at]!];
    for (at++; at < nodes.length; at++) {
      (this.#matches(match, nodes[at]!) === isFirst ? alike : others).push(nodes[at]!);
    }
    this.#check(checks, isFirst ? alike : others);
    return isFirst ? others : alike;
  }

  // A predicate that cannot be evaluated matches nothing (XSLT 2.0, 5.5.4): the next three.

  #matches(match: Question, node: Node): boolean {
    try {
      return answer(match, node, this);
    } catch (error) {
      if (error instanceof DynamicError) return false;
      throw error;
    }
  }

  #holds(when: NonNullable<ReadyContext['when']>): boolean {
    try {
      return when(this);
    } catch (error) {
      if (error instanceof DynamicError) return false;
      throw error;
    }
  }

  #codeOf(codeOf: NonNullable<Choice['codeOf']>, node: Node): string | undefined {
    try {
      return codeOf(node, this);
    } catch (error) {
      if (error instanceof DynamicError) return undefined;
      throw error;
    }
  }

  #check(checks: readonly Check[], nodes: readonly Node[]): void {
    for (let index = 0; index < checks.length; index++) {
      const check = checks[index]!;
      let at = 0;
      try {
        while ((at = firstOf(check.question, false, nodes, at, this)) < nodes.length) {
          this.#breaches.push({ rule: check.rule, node: nodes[at++]! });
        }
      } catch (error) {
        if (!(error instanceof DynamicError)) throw error;
        for (; at < nodes.length; at++) this.#test(check, nodes[at]!);
      }
    }
  }

  #test({ rule, question }: Check, node: Node): void {
    try {
      if (!answer(question, node, this)) this.#breaches.push({ rule, node });
    } catch (error) {
      if (!(error instanceof DynamicError)) throw error;
      this.#breaches.push({ rule, node, diagnostic: error.message });
    }
  }

  #inDocumentOrder(): Breach[] {
    const order = new Map(this.#groups.inOrder().map((node, index) => [node, index]));
    const rank = ({ rule, node }: Breach): number =>
      this.#rulesOf(node).rules.indexOf(rule as Rule);
    return this.#breaches.sort(
      (one, other) => order.get(one.node)! - order.get(other.node)! || rank(one) - rank(other),
    );
  }
}

const none: readonly Node[] = [];

function of(
  byCode: Choice['byCode'],
  code: string | undefined,
): readonly ReadyContext[] | undefined {
  return code === undefined ? undefined : byCode.get(code);
}
