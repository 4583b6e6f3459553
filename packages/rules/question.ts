import { inSlot, type Node } from '@drawbridge/cim/node.ts';
import { type Element, hasChildren } from './element.ts';
import { DynamicError, type Scope, type Test } from './rule.ts';
import { isBlank } from './xpath.ts';

/** Where a question looks, for the nodes of one shape. */
export interface Way {
  /** Steps from the node to those around it, to begin with. */
  readonly up: number;
  /** The slot to look into there, and those to follow from what it holds. */
  readonly slot: number;
  readonly further: readonly number[] | undefined;
  /** Finds the elements where no row binds them all. */
  readonly astray: ((node: Node) => readonly Element[]) | undefined;
  /** What is read of the elements at the end, where it is not their text. */
  readonly attribute: string | undefined;
  /** What there may be several of. */
  readonly name: string;
}

type Kind =
  /** From `min` to `max` elements stand in a slot of the node. */
  | 'counts'
  /** From `min` to `max` elements (or attributes) stand at the end of the way. */
  | 'occurs'
  /** Some value there is one of the texts. */
  | 'says'
  /** Some value there is as the judge wants it. */
  | 'some'
  /** The only value there, `''` when there is none, is as the judge wants it; several are an error. */
  | 'only'
  /** The node itself has the attribute. */
  | 'attribute'
  /** The node has text, or children. */
  | 'isFull'
  | 'not'
  | 'either'
  | 'both'
  | 'always'
  | 'never'
  /** Whatever a function says. */
  | 'test';

/**
 * What is asked of the nodes of one shape. All questions are of one class and answered by one
 * function, so that the processor meets the same instructions from rule to rule.
 */
export class Question {
  readonly kind: Kind;
  readonly way: Way;
  readonly min: number;
  readonly max: number;
  readonly texts: readonly string[];
  readonly judge: (text: string) => boolean;
  readonly first: Question;
  readonly second: Question;
  readonly read: (node: Node) => string | undefined;
  readonly test: Test;

  constructor(kind: Kind, parts: Partial<Omit<Question, 'kind'>> = {}) {
    this.kind = kind;
    this.way = parts.way ?? nowhere;
    this.min = parts.min ?? 0;
    this.max = parts.max ?? 0;
    this.texts = parts.texts ?? [];
    this.judge = parts.judge ?? isBlank;
    this.first = parts.first ?? this;
    this.second = parts.second ?? this;
    this.read = parts.read ?? ((node) => node.text);
    this.test = parts.test ?? (() => true);
  }
}

const none: readonly Element[] = [];
const nowhere: Way = {
  ...{ up: 0, slot: 0, further: undefined, astray: undefined },
  ...{ attribute: undefined, name: 'values' },
};

/** Of every node of a shape, and of none: what follows from them is not asked at all. */
export const always = new Question('always');
export const never = new Question('never');

/** The answer for a node. Throws `DynamicError` where the authority's expression would. */
export function answer(question: Question, node: Node, scope: Scope): boolean {
  switch (question.kind) {
    case 'counts': {
      const count = node.members[question.way.slot]?.length ?? 0;
      return count >= question.min && count <= question.max;
    }
    case 'occurs': {
      const count = countAlong(node, question.way);
      return count >= question.min && count <= question.max;
    }
    case 'test':
      return question.test(node, scope);
    case 'either':
      return answer(question.first, node, scope) || answer(question.second, node, scope);
    case 'both':
      return answer(question.first, node, scope) && answer(question.second, node, scope);
    case 'not':
      return !answer(question.first, node, scope);
    case 'says':
      return doesSay(node, question);
    case 'only':
      return question.judge(onlyText(node, question.way));
    case 'some':
      return someText(node, question);
    case 'attribute':
      return question.read(node) !== undefined;
    case 'isFull':
      return isFull(node);
    case 'always':
      return true;
    case 'never':
      return false;
  }
}

/**
 * Where, from a place on, the first of the nodes stands whose answer is as wanted; behind them all
 * when there is none. The same as asking one by one, in loops of a few instructions.
 */
export function firstOf(
  question: Question,
  wanted: boolean,
  nodes: readonly Node[],
  from: number,
  scope: Scope,
): number {
  const { kind, way, min, max, first, second, test } = question;
  const { length } = nodes;
  let at = from;
  if (kind === 'counts') {
    for (; at < length; at++) {
      const count = nodes[at]!.members[way.slot]?.length ?? 0;
      if ((count >= min && count <= max) === wanted) return at;
    }
  } else if (kind === 'isFull') {
    for (; at < length; at++) if (isFull(nodes[at]!) === wanted) return at;
  } else if (kind === 'test') {
    for (; at < length; at++) if (test(nodes[at]!, scope) === wanted) return at;
  } else if (kind === 'says') {
    for (; at < length; at++) if (doesSay(nodes[at]!, question) === wanted) return at;
  } else if (kind === 'not') {
    return firstOf(first, !wanted, nodes, at, scope);
  } else if (kind === (wanted ? 'both' : 'either')) {
    // Only where the first is as wanted does the second decide.
    while ((at = firstOf(first, wanted, nodes, at, scope)) < length) {
      if (answer(second, nodes[at]!, scope) === wanted) return at;
      at++;
    }
  } else {
    for (; at < length; at++) if (answer(question, nodes[at]!, scope) === wanted) return at;
  }
  return at;
}

/** Mostly the first character tells, or the first member. */
function isFull(node: Node): boolean {
  return node.text.charCodeAt(0) > 32 || hasChildren(node) || !isBlank(node.text);
}

function countAlong(node: Node, way: Way): number {
  const found = along(node, way);
  const { attribute } = way;
  if (attribute === undefined) return found.length;
  let count = 0;
  for (let at = 0; at < found.length; at++) {
    if (found[at]!.attributes?.[attribute] !== undefined) count++;
  }
  return count;
}

function doesSay(node: Node, { way, texts }: Question): boolean {
  const found = along(node, way);
  for (let at = 0; at < found.length; at++) {
    const text = textOf(found[at]!, way.attribute);
    if (text === undefined) continue;
    for (let each = 0; each < texts.length; each++) if (text === texts[each]) return true;
  }
  return false;
}

function someText(node: Node, { way, judge }: Question): boolean {
  const found = along(node, way);
  for (let at = 0; at < found.length; at++) {
    const text = textOf(found[at]!, way.attribute);
    if (text !== undefined && judge(text)) return true;
  }
  return false;
}

function onlyText(node: Node, way: Way): string {
  const found = along(node, way);
  let only: string | undefined;
  for (let at = 0; at < found.length; at++) {
    const text = textOf(found[at]!, way.attribute);
    if (text === undefined) continue;
    if (only !== undefined) throw new DynamicError(`Several ${way.name} where one is expected.`);
    only = text;
  }
  return only ?? '';
}

function textOf(element: Element, attribute: string | undefined): string | undefined {
  return attribute === undefined ? element.text : element.attributes?.[attribute];
}

/** The elements at the end of the way, in document order. */
function along(node: Node, { up, slot, further, astray }: Way): readonly Element[] {
  let from = node;
  for (let step = 0; step < up; step++) from = from.parent!;
  if (astray !== undefined) return astray(from);
  let found: readonly Node[] | undefined = from.members[slot];
  if (further === undefined) return found ?? none;
  for (let step = 0; step < further.length && found !== undefined; step++) {
    const next = further[step]!;
    found = found.length === 1 ? found[0]!.members[next] : inSlot(found, next);
  }
  return found ?? none;
}

/** Whether asking it can raise no error. */
export function isSure({ kind, first, second }: Question): boolean {
  if (kind === 'test' || kind === 'some' || kind === 'only') return false;
  const isOfOthers = kind === 'not' || kind === 'either' || kind === 'both';
  return !isOfOthers || (isSure(first) && (kind === 'not' || isSure(second)));
}
