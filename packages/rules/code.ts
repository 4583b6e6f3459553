import {
  countOf,
  follow,
  holdsUnbound,
  inSlot,
  isSeveral,
  type Node,
  type Occurrences,
  type Path,
  targetOf,
} from '@drawbridge/cim/node.ts';
import { type Element, elementPath, hasChildren, reach } from './element.ts';
import { type CodeList, isSure, many, type Question, type Way } from './question.ts';
import {
  type Coded,
  type CodeLists,
  type Context,
  DynamicError,
  perDocument,
  type Rule,
  type Scope,
  type Test,
} from './rule.ts';
import { isBlank, normalizeSpace } from './xpath.ts';

/**
 * Rules as JavaScript: all that the nodes of one shape are asked becomes one function, in which the
 * processor goes from rule to rule without a table. Its text comes from the rules alone, never from
 * a document; strings in it are written by JSON.stringify, and all else is a constant.
 */

/** Where breaches are told. */
export interface Sink {
  breach(rule: Rule, node: Node): void;
  /** The rule could not be evaluated: raises the error anew unless it is a `DynamicError`. */
  stopped(rule: Rule, node: Node, error: unknown): void;
  /** A node is what a context waits for. */
  signed(context: Context): void;
}

/** Holds nodes of one shape, and all below them, against their rules. */
export type Judge = (
  found: Node | readonly Node[],
  scope: Scope,
  asked: readonly Rule[],
  sink: Sink,
) => void;

/** What is below the nodes of a shape. */
export interface Descent {
  readonly slot: number;
  readonly rules: {
    readonly judge: Judge;
    readonly asked: readonly Rule[];
    readonly asking: Asking;
  };
  /** A single one is judged in its parent's function: a call takes longer than what it is asked. */
  readonly inPlace: boolean;
}

/** A rule, ready for the nodes of one shape. */
export interface ReadyRule {
  readonly rule: Rule;
  readonly question: Question;
}

/** A context, ready for the nodes of one shape. */
export interface ReadyContext {
  readonly when: Context['when'];
  readonly code: Coded | undefined;
  readonly match: Question;
  readonly rules: readonly ReadyRule[];
}

/** A sign that a context waits for, ready for the nodes of one shape. */
export interface ReadySign {
  readonly context: Context;
  readonly question: Question;
}

/** What the nodes of a shape are asked. */
export interface Asking {
  /** The patterns that they meet, each with its contexts in order. */
  readonly patterns: readonly (readonly ReadyContext[])[];
  readonly signs: readonly ReadySign[];
  readonly below: readonly Descent[];
}

/** One function for all of it, and the rules that it is to be given. */
export function judgeOf(asking: Asking): {
  readonly judge: Judge;
  readonly asked: readonly Rule[];
} {
  const writer = new Writer();
  const body = writer.node(asking);
  const text = `${writer.functions.join('\n')}
  return (found, s, r, sink) => {
    ${writer.conditions.join('\n')}
    const many = Array.isArray(found), count = many ? found.length : 1;
    for (let at = 0; at < count; at++) {
      const n = many ? found[at] : found, m = n.members;
      ${body}
    }
  };`;
  // What calls others is the only one of its kind.
  const make = asking.below.length === 0 ? shared : made;
  return { judge: make(text, writer.constants) as Judge, asked: writer.asked };
}

/** A question alone, for a node. Throws `DynamicError` where the authority's expression would. */
export function testOf(question: Question): Test {
  const writer = new Writer();
  const asked = writer.expression(question);
  const text = `${writer.functions.join('\n')}
  return (n, s) => { const m = n.members; ${writer.remembered()} return ${asked}; };`;
  return shared(text, writer.constants) as Test;
}

class Writer {
  /** What the text names `k0`, `k1` …: it has no other way to what is around it. */
  readonly constants: unknown[] = [];
  readonly asked: Rule[] = [];
  /** What is asked of nodes further down, each once. */
  readonly functions: string[] = [];
  readonly #names = new Map<string, string>();
  /** Where ways further down lead from a node: found once, for several rules take the same. */
  #found: string[] = [];
  #isFurtherDown = false;
  /** What is asked of the document, before its nodes. */
  readonly conditions: string[] = [];

  /** All that a node is asked, which the text names `n`, and its members `m`. */
  node({ patterns, signs, below }: Asking): string {
    const foundAround = this.#found;
    this.#found = [];
    const asked = [
      ...patterns.map((contexts, index) => this.#pattern(contexts, index)),
      ...signs.map((sign) => this.#sign(sign)),
    ];
    const texts = [this.remembered(), ...asked];
    this.#found = foundAround;
    return [...texts, ...below.map((descent) => this.#descent(descent))].join('\n');
  }

  /** A node meets the first context that it matches, and leaves the pattern. */
  #pattern(contexts: readonly ReadyContext[], index: number): string {
    const leave = `break p${index};`;
    const coded = contexts.find(({ code }) => code !== undefined)?.code;
    if (coded === undefined) return `p${index}: { ${this.#contexts(contexts, leave)} }`;
    const written = new Map<string, string[]>();
    for (const code of codesAsked(contexts)) {
      const meets = contexts.filter((context) => context.code?.is.includes(code) ?? true);
      const text = this.#contexts(meets, leave);
      written.set(text, [...(written.get(text) ?? []), `case ${JSON.stringify(code)}:`]);
    }
    const cases = [...written].map(([text, labels]) => `${labels.join(' ')} ${text} ${leave}`);
    const others = this.#contexts(
      contexts.filter(({ code }) => code === undefined),
      leave,
    );
    return `p${index}: {
      let code;
      try { code = ${this.#constant(coded.of)}(n, s); } catch (error) { unmet(error); }
      switch (code) { ${cases.join('\n')} default: ${others} }
    }`;
  }

  /** Declares what is found of a node, as soon as it is asked for. */
  remembered(): string {
    const names = this.#found.map((_, number) => `f${number}`);
    return names.length === 0 ? '' : `let ${names.join(', ')};`;
  }

  #sign({ context, question }: ReadySign): string {
    return `if (${this.expression(question)}) sink.signed(${this.#constant(context)});`;
  }

  #descent({ slot, rules, inPlace }: Descent): string {
    const constant = this.#constant(rules);
    const call = `${constant}.judge(found, s, ${constant}.asked, sink);`;
    const judged = inPlace
      ? `if (isSeveral(found)) ${call}
        else { const n = found, m = n.members; ${this.node(rules.asking)} }`
      : call;
    return `{ const found = m[${slot}]; if (found !== undefined) { ${judged} } }`;
  }

  expression(question: Question): string {
    switch (question.kind) {
      case 'always':
        return 'true';
      case 'never':
        return 'false';
      case 'occurs':
        return this.#occurs(question);
      case 'says':
        return this.#says(question.way, question.texts);
      case 'some': {
        const { way, judge } = question;
        return `some(${this.#elements(way)}, ${quoted(way.attribute)}, ${this.#constant(judge)})`;
      }
      case 'only': {
        const { way, judge } = question;
        return `${this.#constant(judge)}(${this.#only(way)} ?? '')`;
      }
      case 'related': {
        const { ways, several, judge } = question;
        const texts = ways.map((way) => (several === 'error' ? this.#only(way) : this.#lone(way)));
        return `${this.#constant(judge)}(${[...texts, 'n', 's'].join(', ')})`;
      }
      case 'any':
      case 'every': {
        const { kind, way, asked } = question;
        return `${kind}(${this.#elements(way)}, ${this.#function(asked)}, s)`;
      }
      case 'attribute':
        return `${attributeOf(question.name)} !== undefined`;
      case 'anyAttribute':
        return `(n.attributes !== undefined && hasAny(n.attributes, ${this.#constant(question.names)}))`;
      case 'unbound':
        return 'holdsUnbound(n)';
      case 'attributeReads':
        return `${this.#constant(question.judge)}(${attributeOf(question.name)}, s)`;
      case 'coded': {
        const { attribute, list } = question;
        const text = attribute === undefined ? 'n.text' : `${attributeOf(attribute)} ?? ''`;
        return `isCoded(${text}, ${this.#constant(list)}, s)`;
      }
      case 'full':
        // Mostly the first character tells.
        return '(n.text.charCodeAt(0) > 32 || isFull(n))';
      case 'not':
        return `!(${this.expression(question.first)})`;
      case 'either':
        return `(${this.expression(question.first)} || ${this.expression(question.second)})`;
      case 'both':
        return `(${this.expression(question.first)} && ${this.expression(question.second)})`;
      case 'test':
        return `${this.#constant(question.test)}(n, s)`;
    }
  }

  #contexts(contexts: readonly ReadyContext[], leave: string): string {
    const texts: string[] = [];
    for (const { when, match, rules } of contexts) {
      if (match.kind === 'never') continue;
      const held = rules.map((rule) => this.#rule(rule)).join('\n');
      const condition = when && this.#condition(when);
      if (match.kind === 'always') {
        texts.push(condition === undefined ? held : `if (${condition}) { ${held} ${leave} }`);
        if (condition === undefined) break;
        continue;
      }
      texts.push(this.#met(match, condition, `${held} ${leave}`));
    }
    return texts.join('\n');
  }

  /** A predicate that cannot be evaluated matches nothing (XSLT 2.0, 5.5.4). */
  #met(match: Question, condition: string | undefined, then: string): string {
    const asked = this.expression(match);
    const both = condition === undefined ? asked : `${condition} && ${asked}`;
    if (isSure(match)) return `if (${both}) { ${then} }`;
    return `{ let met = false;
      try { met = ${both}; } catch (error) { unmet(error); }
      if (met) { ${then} } }`;
  }

  #condition(when: Condition): string {
    const constant = this.#constant(conditionOf(when));
    const name = `w${constant}`;
    const text = `const ${name} = ${constant}(s);`;
    if (!this.conditions.includes(text)) this.conditions.push(text);
    return name;
  }

  #rule({ rule, question }: ReadyRule): string {
    const known = this.asked.indexOf(rule);
    const number = known < 0 ? this.asked.push(rule) - 1 : known;
    const text = `if (!(${this.expression(question)})) sink.breach(r[${number}], n);`;
    if (isSure(question)) return text;
    return `try { ${text} } catch (error) { sink.stopped(r[${number}], n, error); }`;
  }

  #function(question: Question): string {
    const isDeeper = this.#isFurtherDown;
    this.#isFurtherDown = true;
    const text = `(n, s) => { const m = n.members; return ${this.expression(question)}; }`;
    this.#isFurtherDown = isDeeper;
    let name = this.#names.get(text);
    if (name === undefined) {
      name = `q${this.#names.size}`;
      this.#names.set(text, name);
      this.functions.push(`const ${name} = ${text};`);
    }
    return name;
  }

  #occurs({ way, min, max }: Extract<Question, { kind: 'occurs' }>): string {
    const found = this.#elements(way);
    if (way.attribute !== undefined) {
      return `isBetween(having(${found}, ${quoted(way.attribute)}), ${min}, ${max})`;
    }
    if (max === 0) return `(${found} === undefined)`;
    if (min === 0 && max === 1) return `!isSeveral(${found})`;
    if (min === 1 && max === 1) return `isOne(${found})`;
    if (min === 1 && max === many) return `(${found} !== undefined)`;
    return `isBetween(countOf(${found}), ${min}, ${max})`;
  }

  #says(way: Way, texts: readonly string[]): string {
    const found = this.#elements(way);
    if (texts.length === 1 && way.attribute === undefined) {
      return `is(${found}, ${quoted(texts[0])})`;
    }
    const list = this.#constant(texts);
    return way.attribute === undefined
      ? `says(${found}, ${list})`
      : `saysIn(${found}, ${quoted(way.attribute)}, ${list})`;
  }

  #only(way: Way): string {
    return `only(${this.#elements(way)}, ${quoted(way.attribute)}, ${quoted(way.path)})`;
  }

  #lone(way: Way): string {
    return `lone(${this.#elements(way)}, ${quoted(way.attribute)})`;
  }

  /** The elements at the end of the way, in document order, or undefined. */
  #elements({ up, slots, astray }: Way): string {
    const from = `n${'.parent'.repeat(up)}`;
    if (astray !== undefined) {
      const found = `astray(${from}, ${quoted(astray)})`;
      // Where rows bind all of the document, such a path finds nothing.
      return isOfElements(astray) ? `(s.root.unbound === undefined ? undefined : ${found})` : found;
    }
    const [first, ...further] = slots;
    const found = up === 0 ? `m[${first}]` : `${from}.members[${first}]`;
    return further.reduce((above, slot) => this.#once(`below(${above}, ${slot})`), found);
  }

  #once(expression: string): string {
    if (this.#isFurtherDown) return expression;
    const known = this.#found.indexOf(expression);
    return `(f${known < 0 ? this.#found.push(expression) - 1 : known} ??= ${expression})`;
  }

  #constant(value: unknown): string {
    const known = this.constants.indexOf(value);
    return `k${known < 0 ? this.constants.push(value) - 1 : known}`;
  }
}

function codesAsked(contexts: readonly ReadyContext[]): ReadonlySet<string> {
  const codes = contexts.flatMap(({ code }) => code ?? []);
  if (codes.some((code) => code.of !== codes[0]!.of)) {
    throw new Error('Contexts in one pattern read different codes.');
  }
  return new Set(codes.flatMap(({ is }) => is));
}

function attributeOf(name: string): string {
  return `n.attributes?.[${quoted(name)}]`;
}

function quoted(text: string | undefined): string {
  return text === undefined ? 'undefined' : JSON.stringify(text);
}

interface Shared {
  readonly constants: readonly unknown[];
  readonly made: unknown;
}

/** By text: of all rules, so they are as many as rules make them. */
const known = new Map<string, Shared[]>();

/** Elements that are asked the same share one function. */
function shared(text: string, constants: readonly unknown[]): unknown {
  let alike = known.get(text);
  if (alike === undefined) known.set(text, (alike = []));
  let same = alike.find((each) => each.constants.every((value, at) => value === constants[at]));
  if (same === undefined) alike.push((same = { constants, made: made(text, constants) }));
  return same.made;
}

function made(text: string, constants: readonly unknown[]): unknown {
  const head = `'use strict';
    const { ${Object.keys(tools).join(', ')} } = tools;
    ${constants.map((_, at) => `const k${at} = constants[${at}];`).join(' ')}`;
  return new Function('tools', 'constants', `${head}\n${text}`)(tools, constants);
}

/** What the text calls by name. */
const tools = {
  below,
  countOf,
  isSeveral,
  isOne,
  isBetween,
  having,
  is,
  says,
  saysIn,
  some,
  only,
  lone,
  any,
  every,
  astray,
  holdsUnbound,
  hasAny,
  isCoded,
  isFull,
  unmet,
};

/** One element as itself, two or more in document order. */
type Found = Element | readonly Element[] | undefined;

function below(found: Occurrences, slot: number): Occurrences {
  if (found === undefined) return undefined;
  return isSeveral(found) ? inSlot(found, slot) : found.members[slot];
}

function isOne(found: Found): boolean {
  return found !== undefined && !isSeveral(found);
}

function isBetween(count: number, min: number, max: number): boolean {
  return count >= min && count <= max;
}

/** How many of the elements have the attribute. */
function having(found: Found, attribute: string): number {
  if (found === undefined) return 0;
  if (!isSeveral(found)) return found.attributes?.[attribute] === undefined ? 0 : 1;
  let count = 0;
  for (let at = 0; at < found.length; at++) count += having(found[at], attribute);
  return count;
}

function is(found: Found, text: string): boolean {
  if (found === undefined) return false;
  if (!isSeveral(found)) return found.text === text;
  for (let at = 0; at < found.length; at++) if (found[at]!.text === text) return true;
  return false;
}

function says(found: Found, texts: readonly string[]): boolean {
  if (found === undefined) return false;
  if (!isSeveral(found)) return texts.includes(found.text);
  for (let at = 0; at < found.length; at++) if (texts.includes(found[at]!.text)) return true;
  return false;
}

function saysIn(found: Found, attribute: string, texts: readonly string[]): boolean {
  return some(found, attribute, (text) => texts.includes(text));
}

function some(
  found: Found,
  attribute: string | undefined,
  judge: (text: string) => boolean,
): boolean {
  if (found === undefined) return false;
  if (!isSeveral(found)) {
    const text = textOf(found, attribute);
    return text !== undefined && judge(text);
  }
  for (let at = 0; at < found.length; at++) if (some(found[at], attribute, judge)) return true;
  return false;
}

function only(found: Found, attribute: string | undefined, path: string): string | undefined {
  if (found === undefined) return undefined;
  if (!isSeveral(found)) return textOf(found, attribute);
  let text: string | undefined;
  for (let at = 0; at < found.length; at++) {
    const next = textOf(found[at]!, attribute);
    if (next === undefined) continue;
    if (text !== undefined) throw new DynamicError(`Several ${path} where one is expected.`);
    text = next;
  }
  return text;
}

function lone(found: Found, attribute: string | undefined): string | undefined {
  if (found === undefined) return undefined;
  if (!isSeveral(found)) return textOf(found, attribute);
  const texts = found.flatMap((each) => textOf(each, attribute) ?? []);
  return texts.length === 1 ? texts[0] : undefined;
}

function any(found: Occurrences, asked: Test, scope: Scope): boolean {
  if (found === undefined) return false;
  if (!isSeveral(found)) return asked(found, scope);
  for (let at = 0; at < found.length; at++) if (asked(found[at]!, scope)) return true;
  return false;
}

function every(found: Occurrences, asked: Test, scope: Scope): boolean {
  if (found === undefined) return true;
  if (!isSeveral(found)) return asked(found, scope);
  for (let at = 0; at < found.length; at++) if (!asked(found[at]!, scope)) return false;
  return true;
}

function textOf(element: Element, attribute: string | undefined): string | undefined {
  return attribute === undefined ? element.text : element.attributes?.[attribute];
}

function isOfElements(path: string): boolean {
  return path.includes(':');
}

const strays = new Map<string, Path>();

/** Where no row binds each step of the path. */
function astray(node: Node, text: string): Found {
  // A path in the model that leads nowhere is a mistake, and shows where such a node is met.
  if (!isOfElements(text)) return follow(node, targetOf(node.shape, text).shapes);
  let path = strays.get(text);
  if (path === undefined) strays.set(text, (path = elementPath(text)));
  const found = reach(node, path);
  return found.length > 1 ? found : found[0];
}

function hasAny(attributes: Readonly<Record<string, string>>, names: ReadonlySet<string>): boolean {
  for (const name in attributes) if (names.has(name)) return true;
  return false;
}

function isCoded(text: string, list: CodeList, { lists }: Scope): boolean {
  if (text === list.code && lists === list.lists) return true;
  const codes = codesOf(lists, list.name);
  if (!codes.has(text) && !codes.has(normalizeSpace(text))) return false;
  list.code = text;
  list.lists = lists;
  return true;
}

/** The codes of a profile's list. */
export function codesOf(lists: CodeLists, name: string): ReadonlySet<string> {
  const codes = lists[name];
  if (codes === undefined) throw new Error(`The profile has no code list "${name}".`);
  return codes;
}

function isFull(node: Node): boolean {
  return hasChildren(node) || !isBlank(node.text);
}

type Condition = NonNullable<Context['when']>;

const conditions = new Map<Condition, Condition>();

/** What must hold of the document, found out once; what cannot be evaluated does not. */
function conditionOf(when: Condition): Condition {
  let condition = conditions.get(when);
  if (condition === undefined) {
    condition = perDocument((scope) => {
      try {
        return when(scope);
      } catch (error) {
        unmet(error);
        return false;
      }
    });
    conditions.set(when, condition);
  }
  return condition;
}

function unmet(error: unknown): void {
  if (!(error instanceof DynamicError)) throw error;
}
