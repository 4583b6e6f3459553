import { follow, holdsUnbound, listOf, type Node, targetOf } from '@drawbridge/cim/node.ts';
import { codesOf } from '../code-lists.ts';
import { type Element, hasChildren, reach } from '../language/element.ts';
import type { Question, Way } from '../language/question.ts';
import { isBlank, normalizeSpace, type Written } from '../language/xpath.ts';
import { DynamicError } from '../rule.ts';
import type { Scope } from '../scope.ts';
import type { BreachSink, generateCheck, ReadyContext } from './code-generator.ts';

/**
 * The plain version of code-generator.ts: each question is looked up when it is evaluated, node by
 * node. Tests compare the generated code with it.
 */
export const interpretCheck: typeof generateCheck = ({ patterns, triggers, below }) => ({
  asked: [],
  check: (found, scope, _, sink) => {
    for (const node of [found].flat()) {
      for (const contexts of patterns) checkPattern(node, contexts, scope, sink);
      for (const { context, question } of triggers) {
        if (holds(question, node, scope)) sink.triggered(context);
      }
      for (const { slot, rules } of below) {
        const inner = node.members[slot];
        if (inner !== undefined) rules.check(inner, scope, rules.asked, sink);
      }
    }
  },
});

/** Applies the first context that the node matches. */
function checkPattern(
  node: Node,
  contexts: readonly ReadyContext[],
  scope: Scope,
  sink: BreachSink,
): void {
  const met = contexts.find((context) => matches(context, node, scope));
  for (const { rule, question } of met?.rules ?? []) {
    try {
      if (!holds(question, node, scope)) sink.breach(rule, node);
    } catch (error) {
      sink.failed(rule, node, error);
    }
  }
}

/** A predicate that cannot be evaluated matches nothing (XSLT 2.0, 5.5.4). */
function matches({ when, code, match }: ReadyContext, node: Node, scope: Scope): boolean {
  try {
    if (when !== undefined && !when(scope)) return false;
    if (code !== undefined && !code.is.includes(code.of(node, scope)!)) return false;
    return holds(match, node, scope);
  } catch (error) {
    if (!(error instanceof DynamicError)) throw error;
    return false;
  }
}

function holds(question: Question, node: Node, scope: Scope): boolean {
  switch (question.kind) {
    case 'always':
      return true;
    case 'never':
      return false;
    case 'occurs': {
      const { way, min, max } = question;
      const count =
        way.attribute === undefined ? elements(way, node).length : texts(way, node).length;
      return count >= min && count <= max;
    }
    case 'says':
      return texts(question.way, node).some((text) => question.texts.includes(text));
    case 'some':
      return texts(question.way, node).some(question.judge);
    case 'only':
      return question.judge(only(question.way, node, 'error') ?? '');
    case 'related': {
      const values = question.ways.map((way) => only(way, node, question.several));
      return question.judge(...values, node, scope);
    }
    case 'any':
      return nodes(question.way, node).some((each) => holds(question.asked, each, scope));
    case 'every':
      return nodes(question.way, node).every((each) => holds(question.asked, each, scope));
    case 'attribute':
      return node.attributes?.[question.name] !== undefined;
    case 'attributeReads':
      return question.judge(node.attributes?.[question.name], scope);
    case 'anyAttribute':
      return Object.keys(node.attributes ?? {}).some((name) => question.names.has(name));
    case 'unbound':
      return holdsUnbound(node);
    case 'coded': {
      const { attribute, list } = question;
      const text = attribute === undefined ? node.text : (node.attributes?.[attribute] ?? '');
      const codes = codesOf(scope.lists, list.name);
      return codes.has(text) || codes.has(normalizeSpace(text));
    }
    case 'full':
      return hasChildren(node) || !isBlank(node.text);
    case 'not':
      return !holds(question.first, node, scope);
    case 'either':
      return holds(question.first, node, scope) || holds(question.second, node, scope);
    case 'both':
      return holds(question.first, node, scope) && holds(question.second, node, scope);
    case 'test':
      return question.test(node, scope);
  }
}

/** The elements at the end of the way, in document order. */
function elements({ up, slots, unboundPath }: Way, node: Node): readonly Element[] {
  let from = node;
  for (let step = 0; step < up; step++) from = from.parent!;
  if (unboundPath === undefined) {
    return slots.reduce<readonly Node[]>(
      (found, slot) => found.flatMap((each) => listOf(each.members[slot])),
      [from],
    );
  }
  if (unboundPath.includes(':')) return reach(from, unboundPath);
  return listOf(follow(from, targetOf(from.shape, unboundPath).shapes));
}

/** The nodes at the end of a way to groups, which are always bound. */
function nodes(way: Way, node: Node): readonly Node[] {
  return elements(way, node) as readonly Node[];
}

function texts(way: Way, node: Node): string[] {
  const { attribute } = way;
  return elements(way, node).flatMap((each) =>
    attribute === undefined ? each.text : (each.attributes?.[attribute] ?? []),
  );
}

function only(way: Way, node: Node, several: 'error' | 'none'): Written {
  const found = texts(way, node);
  if (found.length > 1 && several === 'error') {
    throw new DynamicError(`Several ${way.path} where one is expected.`);
  }
  return found.length === 1 ? found[0] : undefined;
}
